import pg from "pg";
import type { Logger } from "../../logger.ts";
import { DatabaseUnavailable, wasEndedByCommand } from "../failures.ts";
import { skipDescription } from "./rows-query.ts";
import { bytesRead, cut } from "./transaction.ts";

/** The time for which a failed connection attempt also fails later requests, so that they fail at once. */
const RETRY_AFTER_MS = 250;
/** A connection without an answer for this long is dead, whatever TCP reports: the server limits every statement. */
const STALL_MS = 15_000;

/**
 * One pipelined connection that many requests share: units of work are written one after the other without waiting for
 * answers. It answers in order, so only quick statements belong on it. If it breaks, the next use reconnects.
 */
export class Lane {
  inFlight = 0;
  #isResting = false;
  readonly #config: pg.ClientConfig;
  readonly #logger: Logger;
  #client: pg.Client | null = null;
  #connecting: Promise<pg.Client> | null = null;
  #closed = false;
  #readBefore = -1;
  readonly #watch: NodeJS.Timeout;

  constructor(config: pg.ClientConfig, logger: Logger) {
    this.#config = config;
    this.#logger = logger;
    this.#watch = setInterval(() => this.#cutIfStalled(), STALL_MS).unref();
  }

  async use<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    this.inFlight++;
    try {
      return await work(this.#client ?? (await this.#connect()));
    } finally {
      this.inFlight--;
      this.#leave();
    }
  }

  get isOpen(): boolean {
    return this.#client !== null;
  }

  /** Closes its connection once nothing is in flight. */
  rest(isResting: boolean): void {
    this.#isResting = isResting;
    this.#leave();
  }

  #leave(): void {
    if (!this.#isResting || this.inFlight > 0) return;
    const client = this.#client;
    this.#client = null;
    void client?.end();
  }

  /** Waits for the work in flight. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#watch);
    const client = this.#client ?? (await this.#connecting?.catch(() => null));
    await client?.end();
  }

  /** Fails everything in flight. */
  cut(): void {
    if (this.#client !== null) cut(this.#client);
  }

  #cutIfStalled(): void {
    const read = this.#client === null || this.inFlight === 0 ? -1 : bytesRead(this.#client);
    const isStalled = read >= 0 && read === this.#readBefore;
    // If nothing is in flight, the next transaction gets the full time.
    this.#readBefore = read;
    if (isStalled) this.cut();
  }

  async #connect(): Promise<pg.Client> {
    if (this.#closed) throw new DatabaseUnavailable("it is being closed", false);
    this.#connecting ??= this.#open();
    return await this.#connecting;
  }

  async #open(): Promise<pg.Client> {
    const client = new pg.Client(this.#config);
    skipDescription(client);
    let isLost = false;
    const lost = (error?: Error) => {
      isLost = true;
      if (this.#client !== client) return;
      this.#client = null;
      if (!this.#closed) this.#logger.warn({ err: error }, "a database connection broke");
    };
    client.on("error", lost);
    client.on("end", () => lost());
    const forget = () => (this.#connecting = null);
    try {
      await client.connect();
    } catch (error) {
      // PostgreSQL accepted this connection and then ended it: the next one may stay.
      const wasThere = wasEndedByCommand(error);
      if (wasThere) forget();
      else setTimeout(forget, RETRY_AFTER_MS).unref();
      throw new DatabaseUnavailable(error, wasThere);
    }
    forget();
    // The bytes that accept the connection may also end it.
    if (isLost) throw new DatabaseUnavailable("the connection broke as it was opened", true);
    this.#client = client;
    return client;
  }
}
