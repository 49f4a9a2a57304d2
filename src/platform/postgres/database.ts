import type pg from "pg";
import type { Logger } from "../logger.ts";
import { NOBODY, type Caller } from "../sharing/caller.ts";
import { createOneForMany, type OneForMany } from "../sharing/one-for-many.ts";
import { createSharing, type Sharing } from "../sharing/sharing.ts";
import { asOwner } from "./as-owner.ts";
import { asked, turnForRows, sizeOf } from "./for-caller.ts";
import { createNews, type News } from "./news.ts";
import { freeConnectionsStatement } from "./ready.ts";
import { AS_TEXT, connectAsApp } from "./request-settings.ts";
import type { Call, Parameter, Row, Statement } from "./statement.ts";
import { createTally, type Tally } from "./tally.ts";
import type { TenantId } from "./tenant-id.ts";
import { Crowd } from "./transactions/crowd.ts";
import { Lanes } from "./transactions/lanes.ts";
import { READS, WRITES } from "./transactions/manners.ts";
import { createOnLanes, unlessItWaits, type OnLanes } from "./transactions/on-lanes.ts";
import { Pool } from "./transactions/pool.ts";
import { reading, retrying } from "./transactions/retries.ts";
import {
  beginPatiently,
  inTransaction,
  LOCK_TIMEOUT_MS,
  runTransaction,
  PATIENTLY,
  type Part,
} from "./transactions/transaction.ts";

/**
 * The way to PostgreSQL. Every unit of work is part of one transaction, which is opened with its tenant, `begin; set
 * local app.tenant_id`, and sent together with its statements and the commit in one write. The tenant is also the first
 * parameter ($1) of every statement. No tenant set = no rows (row-level security). Units of the same tenant that are
 * asked for at the same time may share a transaction (coalescer.ts); none sees another's half-done work.
 *
 * All of these fail with DatabaseUnavailable when the database is away, with Overloaded when too much is asked of it, and with pg.DatabaseError for
 * what a statement itself did wrong.
 */
export type Database = {
  /** Quick read-only statements, on shared pipelined connections. Repeated if the connection breaks. */
  quick: Reader;
  /**
   * Read-only statements that may take long (search, big counts), off the quick ones' connections. Repeated likewise.
   */
  slow: Reader;
  /** Statements that are sent together and committed together; a deadlock is retried. Rows per statement. */
  write(tenant: TenantId, calls: Call[]): Promise<Row[][]>;
  /**
   * Statements that depend on each other's answers. The connection is the transaction's own until it ends.
   * @param says the answer that is made of the outcome, for whoever keeps answers with what they tell of; null: none
   */
  transaction<T>(
    tenant: TenantId,
    work: (run: Run, part: Part) => Promise<T>,
    says?: (outcome: T) => Said | null,
  ): Promise<T>;
  /** A read of what no tenant owns (the list of tenants). */
  readShared(statement: Statement, parameters?: Parameter[]): Promise<Row[]>;
  /**
   * A function that looks across tenants behind a door of its own (SECURITY DEFINER), in a transaction without a tenant.
   * It may wait for a lock, and takes the part of the caller's holder, as a read of what no tenant owns does.
   */
  acrossTenants(call: Call): Promise<Row[]>;
  /**
   * Statements as the login role, the owner of the tables, in a transaction on a connection of their own: for what no
   * tenant may do (creating tenants). Row-level security does not bind it, so every statement names its tenant.
   */
  owner(calls: Call[]): Promise<Row[][]>;
  /** The same of statements that depend on each other's answers. */
  ownerTransaction<T>(work: (run: Run) => Promise<T>): Promise<T>;
  /** The same for one caller: what waits or runs for one who hangs up is given up, where that is still possible. */
  forCaller(caller: Caller): Database;
  /** The same with ways of writing of one's own. */
  writingBy(ways: Pick<Database, "write" | "transaction">): Database;
  /** The same for what goes on whoever hangs up, for the program's own sake. It is always the same one. */
  readonly unattended: Database;
  /** Looks now and then whether commands get a connection too, and lets go of some where not; until it is closed. */
  leaveRoom(): void;
  tally: Tally;
  /** News of what tenants write. */
  news: News;
  /** Work of the program's own that several callers want at once. */
  oneForMany: OneForMany;
  /** Lets what is in flight finish, for a second; then it fails. */
  close(): Promise<void>;
};

/** The way to a database as its login role. */
export type Connection = pg.ClientConfig;

export type Reader = {
  read(tenant: TenantId, statement: Statement, parameters?: Parameter[]): Promise<Row[]>;
  /** Several statements on one snapshot of the data. Rows per statement. */
  readAll(tenant: TenantId, calls: Call[]): Promise<Row[][]>;
};

export type { Part };

/** The body of an answer, or its parts, which are made as they are sent, and the tag of one resource. */
export type Said = { json: string | AsyncIterable<string>; etag?: string };

/** Runs one statement of a transaction; the tenant, where it has one, is its $1. */
export type Run = (statement: Statement, parameters?: Parameter[]) => Promise<Row[]>;

export type DatabaseOptions = {
  connection: Connection;
  /** The same database as the role of requests (request-role.ts). */
  requests: Connection;
  logger: Logger;
  /** As others share it who work in this process. */
  sharing?: Sharing;
};

/** Of a statement on a lane, where its transaction is cancelled earlier: for when this process has no time to do so. */
const QUICK_TIMEOUT_MS = 1_000;
const SLOW_TIMEOUT_MS = 30_000;
const CLOSE_PATIENCE_MS = 1_000;

export function openDatabase({
  connection,
  requests,
  logger,
  sharing: { presence, time, places, aside } = createSharing(),
}: DatabaseOptions): Database {
  const quick = connectAsApp(requests, QUICK_TIMEOUT_MS);
  const slow = connectAsApp(requests, SLOW_TIMEOUT_MS);
  const patienceMs = SLOW_TIMEOUT_MS + LOCK_TIMEOUT_MS;
  const crowd = new Crowd();
  const searching = new Pool(slow, places.longReads, patienceMs, logger, crowd);
  const waiting = new Pool(slow, places.waitingWrites, patienceMs, logger, crowd);
  const reads = new Lanes(quick, places.quickReads, logger, crowd);
  const writes = new Lanes(quick, places.writes, logger, crowd);
  const sharedReads = createOnLanes(READS, reads, searching, aside);
  const sharedWrites = createOnLanes(WRITES, writes, waiting, aside);

  const news = createNews(
    async (call) => await writes.use(NOBODY.holder, (client) => runTransaction(client, "begin", [call])),
  );
  const beside = { tally: createTally(), news, oneForMany: createOneForMany() };
  const pools = { connection, presence, time, reads, searching, waiting, sharedReads, sharedWrites, ...beside };
  const all = [reads, writes, searching, waiting];
  const freeConnections = async () => Number((await unattended.readShared(freeConnectionsStatement))[0]?.[0]);
  const leaveRoom = () => crowd.watch(freeConnections);
  const close = async () => {
    crowd.stop();
    let timer: NodeJS.Timeout | undefined;
    const impatience = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        for (const each of all) each.cut();
        resolve();
      }, CLOSE_PATIENCE_MS);
    });
    const drained = async () => {
      await news.close();
      await Promise.all([sharedReads, sharedWrites, ...all].map((each) => each.drained()));
    };
    await Promise.race([impatience, drained()]);
    await Promise.all(all.map((each) => each.close()));
    clearTimeout(timer);
  };
  const ways: Ways = { ...pools, close, leaveRoom, unattended: () => unattended };
  const unattended = new WayOfCaller(ways, NOBODY);
  return unattended;
}

/** Everything by which callers reach PostgreSQL. */
type Ways = Pick<Sharing, "presence" | "time"> &
  Pick<Database, "tally" | "news" | "oneForMany"> & {
    connection: Connection;
    reads: Lanes;
    searching: Pool;
    waiting: Pool;
    sharedReads: OnLanes;
    sharedWrites: OnLanes;
    close: () => Promise<void>;
    leaveRoom: () => void;
    unattended: () => Database;
  };

/** A class, whose methods all callers share: each request is one, and ten closures of its own cost it as much as its row. */
class WayOfCaller implements Database {
  readonly quick: Reader;
  readonly slow: Reader;
  readonly tally: Tally;
  readonly news: News;
  readonly oneForMany: OneForMany;
  private readonly ways: Ways;
  private readonly caller: Caller;

  constructor(ways: Ways, caller: Caller) {
    this.quick = new CallersReader(ways, ways.sharedReads.run, caller);
    this.slow = new CallersReader(ways, ways.sharedReads.aside, caller);
    this.tally = ways.tally;
    this.news = ways.news;
    this.oneForMany = ways.oneForMany;
    this.ways = ways;
    this.caller = caller;
  }

  async write(tenant: TenantId, calls: Call[]): Promise<Row[][]> {
    this.ways.presence.note(tenant);
    // Also where it failed: it may have been committed.
    const { sharedWrites } = this.ways;
    const writing = asked(this.caller, sharedWrites.run(tenant, calls, this.caller));
    const isNews = calls.some(({ statement }) => statement.isNoNews === undefined);
    const answers = await (isNews ? writing.finally(() => this.news.note(tenant)) : writing);
    await turnForRows(this.ways.time, tenant, answers, this.caller);
    return answers;
  }

  async transaction<T>(tenant: TenantId, work: (run: Run, part: Part) => Promise<T>): Promise<T> {
    const { presence, waiting } = this.ways;
    presence.note(tenant);
    const inOne = (client: pg.Client) =>
      inTransaction(client, beginPatiently(tenant), (run, part) =>
        work((statement, parameters = []) => run(statement, [tenant, ...parameters]), part),
      );
    const done = retrying(() => waiting.use(tenant, inOne, this.caller));
    return await asked(this.caller, done).finally(() => this.news.note(tenant));
  }

  async readShared(statement: Statement, parameters: Parameter[] = []): Promise<Row[]> {
    const { reads, searching } = this.ways;
    const { holder } = this.caller;
    const work = (begin: string) => (client: pg.Client) => runTransaction(client, begin, [{ statement, parameters }]);
    const onLane = () => reads.use(holder, work("begin read only"), this.caller);
    const inPool = () => searching.use(holder, work(`begin read only;${PATIENTLY}`), this.caller);
    const read = reading(() => unlessItWaits(onLane, inPool));
    const [rows] = await asked(this.caller, read);
    return rows ?? [];
  }

  async acrossTenants(call: Call): Promise<Row[]> {
    const work = (client: pg.Client) => runTransaction(client, `begin;${PATIENTLY}`, [call]);
    const [rows] = await retrying(() => this.ways.waiting.use(this.caller.holder, work, this.caller));
    return rows ?? [];
  }

  async owner(calls: Call[]): Promise<Row[][]> {
    return await asOwner({ ...this.ways.connection, ...AS_TEXT, pipeline: true }, (client) =>
      runTransaction(client, "begin", calls),
    );
  }

  async ownerTransaction<T>(work: (run: Run) => Promise<T>): Promise<T> {
    return await asOwner({ ...this.ways.connection, ...AS_TEXT }, (client) =>
      inTransaction(client, "begin", (run) => work((statement, parameters = []) => run(statement, parameters))),
    );
  }

  forCaller(caller: Caller): Database {
    return new WayOfCaller(this.ways, caller);
  }

  /** A copy: an object that inherits from one of these would make each of them slow. */
  writingBy(ways: Pick<Database, "write" | "transaction">): Database {
    return Object.assign(new WayOfCaller(this.ways, this.caller), ways);
  }

  get unattended(): Database {
    return this.ways.unattended();
  }

  leaveRoom(): void {
    this.ways.leaveRoom();
  }

  async close(): Promise<void> {
    await this.ways.close();
  }
}

class CallersReader implements Reader {
  readonly #ways: Ways;
  readonly #read: OnLanes["run"];
  readonly #caller: Caller;

  constructor(ways: Ways, read: OnLanes["run"], caller: Caller) {
    this.#ways = ways;
    this.#read = read;
    this.#caller = caller;
  }

  async readAll(tenant: TenantId, calls: Call[]): Promise<Row[][]> {
    this.#ways.presence.note(tenant);
    const answers = await asked(this.#caller, this.#read(tenant, calls, this.#caller));
    // There is to be memory for what is made of them. What was written is told at once: it is done.
    const room = this.#caller.makeRoom?.(() => sizeOf(answers).characters);
    if (room !== undefined) await room;
    await turnForRows(this.#ways.time, tenant, answers, this.#caller);
    return answers;
  }

  async read(tenant: TenantId, statement: Statement, parameters: Parameter[] = []): Promise<Row[]> {
    const [rows] = await this.readAll(tenant, [{ statement, parameters }]);
    return rows ?? [];
  }
}
