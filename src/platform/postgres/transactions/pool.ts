import pg from "pg";
import type { Logger } from "../../logger.ts";
import { NOBODY, type Caller } from "../../sharing/caller.ts";
import { hungUp } from "../../sharing/overloaded.ts";
import type { Places } from "../../sharing/places.ts";
import { DatabaseUnavailable, hasNoConnectionLeft, isAnswer, wasEndedByCommand } from "../failures.ts";
import { cancelUntil } from "./cancel.ts";
import type { ConnectionBudget, Lowerable } from "./connection-budget.ts";
import { skipDescription } from "./rows-query.ts";
import { cut } from "./transaction.ts";

/** The time for opening a connection. */
const CONNECT_MS = 10_000;
const IDLE_MS = 30_000;

/** Connections for work that may take long: each does one thing at a time. Tenants use them in turn. */
export class Pool implements Lowerable {
  readonly least = 1;
  readonly #pool: pg.Pool;
  readonly places: Places;
  readonly #budget: ConnectionBudget;
  readonly #clients = new Set<pg.Client>();
  #most: number;

  /**
   * @param places each is a connection
   * @param patienceMs the limit for a server that is gone without notice; a statement's own limit is shorter
   */
  constructor(config: pg.ClientConfig, places: Places, patienceMs: number, logger: Logger, budget: ConnectionBudget) {
    this.places = places;
    this.#most = places.size;
    this.#budget = budget;
    budget.add(this);
    this.#pool = new pg.Pool({
      ...config,
      max: places.size,
      // Without this option pg waits for ever.
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: patienceMs,
      idleTimeoutMillis: IDLE_MS,
    });
    this.#pool.on("connect", (client) => {
      this.#clients.add(client);
      skipDescription(client);
      // The pool does not listen to a client in use; its user gets the error from its own statements.
      client.on("error", () => {});
    });
    this.#pool.on("remove", (client) => this.#clients.delete(client));
    // Without a listener, an error on an idle client would end the process. The pool replaces the client. A client that
    // ends does not wait for the server, which may be gone first.
    this.#pool.on("error", (error: Error & { client?: unknown }) => {
      // The pool adds the client, which has the secret that cancels its statements.
      delete error.client;
      if (!this.#pool.ending) logger.warn({ err: error }, "an idle database connection broke");
    });
  }

  /** If the caller hangs up, its work is cancelled, both while it waits and while its statement runs. */
  async use<T>(tenant: string, work: (client: pg.Client) => Promise<T>, caller: Caller = NOBODY): Promise<T> {
    for (;;) {
      try {
        return await this.places.use(tenant, () => this.useNow(work, caller), caller);
      } catch (error) {
        if (!hasNoConnectionLeft(error)) throw error;
        this.#budget.lower();
        // Existing connections do it, one after the other.
        if (this.open === 0) throw error;
      }
    }
  }

  get open(): number {
    return this.#pool.totalCount;
  }

  bound(connections: number): void {
    this.#most = Math.min(connections, this.places.size);
    this.#pool.options.max = this.#most;
    this.places.bound(this.#most);
    for (let beyond = Math.min(this.#pool.idleCount, this.open - this.#most); beyond > 0; beyond--) {
      this.#pool.connect().then(
        (client) => client.release(true),
        () => {},
      );
    }
  }

  /** The same for a caller that has a place. */
  async useNow<T>(work: (client: pg.Client) => Promise<T>, caller: Caller = NOBODY): Promise<T> {
    let client: pg.PoolClient;
    try {
      client = await this.#pool.connect();
    } catch (error) {
      throw new DatabaseUnavailable(error, wasEndedByCommand(error));
    }
    if (caller.hasHungUp) {
      client.release();
      throw hungUp();
    }
    const cancelling: Promise<boolean>[] = [];
    let isDone = false;
    const forget = caller.whenHungUp(() => cancelling.push(cancelUntil(client, () => isDone)));
    let isBroken = false;
    try {
      return await work(client);
    } catch (error) {
      isBroken = error instanceof DatabaseUnavailable && !isAnswer(error);
      throw cancelling.length === 0 ? error : hungUp();
    } finally {
      isDone = true;
      forget();
      // The cancellation must not reach the connection once it does another caller's work.
      if ((await Promise.all(cancelling)).includes(false)) isBroken = true;
      // A connection that broke is not given back; the pool opens another.
      client.release(isBroken || this.open > this.#most);
    }
  }

  /** Resolves when no connection is in use. */
  async drained(): Promise<void> {
    await this.places.drained();
  }

  /** Waits for the work in flight. */
  async close(): Promise<void> {
    await this.#pool.end();
  }

  /** Fails everything in use. */
  cut(): void {
    for (const client of this.#clients) cut(client);
  }
}
