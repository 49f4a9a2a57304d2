import pg from "pg";
import type { Logger } from "../logger.ts";
import { DatabaseUnavailable } from "./failures.ts";
import { cut } from "./unit-of-work.ts";

/** How long work waits for a connection, and how much of it may: the rest is refused at once. */
const WAIT_MS = 10_000;
const MAX_WAITING = 1_000;
const IDLE_MS = 30_000;

/** Connections for what may take long: each does one thing at a time. */
export class Pool {
  readonly #pool: pg.Pool;
  readonly #clients = new Set<pg.Client>();

  /** @param patienceMs for a server that is gone without a word; a statement's own limit comes first */
  constructor(config: pg.ClientConfig, size: number, patienceMs: number, logger: Logger) {
    this.#pool = new pg.Pool({
      ...config,
      max: size,
      // pg waits for ever unless told.
      connectionTimeoutMillis: WAIT_MS,
      query_timeout: patienceMs,
      idleTimeoutMillis: IDLE_MS,
    });
    this.#pool.on("connect", (client) => {
      this.#clients.add(client);
      // The pool does not listen to a client in use; whoever uses it learns of the error from its own statements.
      client.on("error", () => {});
    });
    this.#pool.on("remove", (client) => this.#clients.delete(client));
    // Without a listener, an error on an idle client would end the process. The pool replaces the client.
    this.#pool.on("error", (error) => logger.warn({ err: error }, "an idle database connection broke"));
  }

  async use<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    if (this.#pool.waitingCount >= MAX_WAITING) throw new DatabaseUnavailable("too many requests wait for it", false);
    let client: pg.PoolClient;
    try {
      client = await this.#pool.connect();
    } catch (error) {
      throw new DatabaseUnavailable(error, false);
    }
    try {
      const result = await work(client);
      client.release();
      return result;
    } catch (error) {
      // A connection that broke is not given back; the pool opens another.
      client.release(error instanceof DatabaseUnavailable);
      throw error;
    }
  }

  /** Lets what is in use finish. */
  async close(): Promise<void> {
    await this.#pool.end();
  }

  /** Fails everything in use. */
  cut(): void {
    for (const client of this.#clients) cut(client);
  }
}
