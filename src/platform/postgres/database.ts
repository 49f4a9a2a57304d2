import type pg from "pg";
import type { Caller } from "../sharing/caller.ts";
import type { OneForMany } from "../sharing/one-for-many.ts";
import type { Sharing } from "../sharing/sharing.ts";
import { asOwner } from "./as-owner.ts";
import { reportingQuery, turnForRows, sizeOf } from "./for-caller.ts";
import type { News } from "./news.ts";
import { AS_TEXT } from "./request-settings.ts";
import { callOfTenant, type Call, type Parameter, type Row, type Statement } from "./statement.ts";
import type { Tally } from "./tally.ts";
import { INSTALLATION, type TenantId } from "./tenant-id.ts";
import type { Lanes } from "./transactions/lanes.ts";
import { runAsOwner, runOfInstallation, transactionOfInstallation } from "./transactions/of-installation.ts";
import { unlessItWaits, type OnLanes } from "./transactions/on-lanes.ts";
import { openUncommitted, type Uncommitted } from "./transactions/pending-commit.ts";
import type { Pool } from "./transactions/pool.ts";
import { readFresh } from "./transactions/read-fresh.ts";
import { reading, retrying } from "./transactions/retries.ts";
import {
  beginPatiently,
  inTransaction,
  runTransaction,
  PATIENTLY,
  type Run,
  type Savepoint,
} from "./transactions/transaction.ts";
import type { UncommittedWrites } from "./transactions/uncommitted-writes.ts";

/** Statements of one transaction that depend on each other's answers. */
export type TransactionWork<T = void> = (run: Run, savepoint: Savepoint) => Promise<T>;

/** How a database writes. */
export type DatabaseWriting = Pick<Database, "write" | "transaction" | "transactions"> &
  Partial<Pick<Database, "ownerTransaction">>;

/**
 * Access to PostgreSQL. Every unit of work belongs to one transaction. It opens with its tenant (`begin; set local
 * app.tenant_id`) and is sent with its statements and the commit in one write. The tenant is also the first parameter
 * ($1) of every statement. Without a tenant, row-level security returns no rows. Simultaneous units of the same tenant
 * may share a transaction (coalescer.ts); none sees partial work of another.
 *
 * All methods fail with DatabaseUnavailable if the database cannot be reached, with Overloaded if too many requests
 * wait for it, and with pg.DatabaseError if a statement itself is wrong.
 */
export type Database = {
  /** Quick read-only statements, on shared pipelined connections. Repeated if the connection breaks. */
  quick: Reader;
  /**
   * Read-only statements that may run long (search, counts of many rows), on connections apart from the quick ones.
   * Repeated likewise.
   */
  slow: Reader;
  /** Statements that are sent together and committed together; a deadlock is retried. Rows per statement. */
  write(tenant: TenantId, calls: Call[]): Promise<Row[][]>;
  /** Statements that depend on each other's answers. The connection is the transaction's own until it ends. */
  transaction<T>(tenant: TenantId, work: TransactionWork<T>): Promise<T>;
  /**
   * As transaction, for works of which each may be committed without those after it: one transaction each, so that no
   * lock is held for long. They are one transaction where the caller needs it (keyed-database.ts).
   */
  transactions(tenant: TenantId, works: readonly TransactionWork[]): Promise<void>;
  /**
   * As write, but the rows arrive before the commit, which waits for the caller (pending-commit.ts).
   * @param alone whether the transaction is shared with no other caller
   */
  writeUncommitted(tenant: TenantId, calls: Call[], alone: boolean): Promise<Uncommitted<Row[][]>>;
  /** As transaction; its outcome arrives before the commit, which waits for the caller. */
  transactionUncommitted<T>(tenant: TenantId, work: TransactionWork<T>): Promise<Uncommitted<T>>;
  /** Reads data that belongs to no tenant (the list of tenants). */
  readShared(statement: Statement, parameters?: Parameter[]): Promise<Row[]>;
  /** Reads on a connection that is opened for this, as those of requests are, and writes a temporary file on it. */
  readFresh(tenant: TenantId, call: Call): Promise<Row[]>;
  /** Reads on a connection of writes, which is opened if there is none. */
  readAsWriting(tenant: TenantId, call: Call): Promise<Row[]>;
  /**
   * Calls a function that reads across tenants with its own checks (SECURITY DEFINER), in a transaction without a
   * tenant. It may wait for a lock. Like readShared, it uses the share of the caller's holder.
   */
  acrossTenants(call: Call): Promise<Row[]>;
  /**
   * Statements as the login role, the owner of the tables, in a transaction on a separate connection. They do what no
   * tenant may do, such as creating tenants. Row-level security does not restrict them, so every statement names its
   * tenant.
   */
  owner(calls: Call[]): Promise<Row[][]>;
  /** The same of statements that depend on each other's answers. */
  ownerTransaction<T>(work: TransactionWork<T>): Promise<T>;
  /** As ownerTransaction; its outcome arrives before the commit, whose last call is the installation's. */
  ownerTransactionUncommitted<T>(work: TransactionWork<T>): Promise<Uncommitted<T>>;
  /**
   * The same for one caller: if the caller hangs up, its waiting or running work is cancelled where that is still
   * possible.
   */
  forCaller(caller: Caller): Database;
  /** That caller, for other work that ends when it hangs up. */
  readonly caller: Caller;
  /** The same with other implementations of writing. */
  writingBy(writing: DatabaseWriting): Database;
  /** The same for the program's own work, which continues when a caller hangs up. Always the same object. */
  readonly unattended: Database;
  /**
   * Checks at intervals whether commands can still connect, and closes some connections if not; runs until the database
   * is closed.
   */
  leaveRoom(): void;
  tally: Tally;
  /** Notifications of tenants' writes. */
  news: News;
  /** The program's own work that several callers want at once. */
  oneForMany: OneForMany;
  /** Waits up to one second for the work in flight, then fails it. */
  close(): Promise<void>;
};

/** A connection to a database as its login role. */
export type Connection = pg.ClientConfig;

export type Reader = {
  read(tenant: TenantId, statement: Statement, parameters?: Parameter[]): Promise<Row[]>;
  /** Several statements on one snapshot of the data. Rows per statement. */
  readAll(tenant: TenantId, calls: Call[]): Promise<Row[][]>;
};

export type { Run, Savepoint, Uncommitted };

/** The connections to PostgreSQL, with everything that their callers share. */
export type Connections = Pick<Sharing, "presence" | "time"> &
  Pick<Database, "tally" | "news" | "oneForMany"> & {
    connection: Connection;
    /** Connects as requests do, for quick statements. */
    requests: Connection;
    reads: Lanes;
    searching: Pool;
    waiting: Pool;
    sharedReads: OnLanes;
    sharedWrites: OnLanes;
    uncommittedWrites: UncommittedWrites;
    close: () => Promise<void>;
    leaveRoom: () => void;
    unattended: () => Database;
  };

/**
 * A class, so that all callers share its methods: each request makes one, and ten closures for each would cost as much
 * as its row.
 */
export class CallerDatabase implements Database {
  readonly quick: Reader;
  readonly slow: Reader;
  readonly tally: Tally;
  readonly news: News;
  readonly oneForMany: OneForMany;
  private readonly connections: Connections;
  readonly caller: Caller;

  constructor(connections: Connections, caller: Caller) {
    this.quick = new CallersReader(connections, connections.sharedReads.run, caller);
    this.slow = new CallersReader(connections, connections.sharedReads.inPool, caller);
    this.tally = connections.tally;
    this.news = connections.news;
    this.oneForMany = connections.oneForMany;
    this.connections = connections;
    this.caller = caller;
  }

  async write(tenant: TenantId, calls: Call[]): Promise<Row[][]> {
    if (tenant === INSTALLATION) return await runOfInstallation(this.connections, "waiting", this.caller, calls);
    this.connections.presence.note(tenant);
    // The listeners are notified after a failure too: the write may have been committed.
    const { sharedWrites } = this.connections;
    const writing = reportingQuery(this.caller, sharedWrites.run(tenant, calls, this.caller));
    const isNews = calls.some(({ statement }) => statement.isSilent === undefined);
    const answers = await (isNews ? writing.finally(() => this.news.note(tenant)) : writing);
    await turnForRows(this.connections.time, tenant, answers, this.caller);
    return answers;
  }

  async transaction<T>(tenant: TenantId, work: TransactionWork<T>): Promise<T> {
    if (tenant === INSTALLATION) return await transactionOfInstallation(this.connections, this.caller, work);
    this.connections.presence.note(tenant);
    const done = retrying(() => this.inPool(tenant, work));
    return await reportingQuery(this.caller, done).finally(() => this.news.note(tenant));
  }

  async transactions(tenant: TenantId, works: readonly TransactionWork[]): Promise<void> {
    for (const work of works) await this.transaction(tenant, work);
  }

  private async inPool<T>(tenant: TenantId, work: TransactionWork<T>): Promise<T> {
    const inOne = (client: pg.Client) =>
      inTransaction(client, beginPatiently(tenant), (run, savepoint) =>
        work((call) => run(callOfTenant(tenant, call)), savepoint),
      );
    return await this.connections.waiting.use(tenant, inOne, this.caller);
  }

  async writeUncommitted(tenant: TenantId, calls: Call[], alone: boolean): Promise<Uncommitted<Row[][]>> {
    this.connections.presence.note(tenant);
    const running = this.connections.uncommittedWrites.run(tenant, calls, this.caller, alone);
    return this.afterwards(tenant, await reportingQuery(this.caller, running));
  }

  async transactionUncommitted<T>(tenant: TenantId, work: TransactionWork<T>): Promise<Uncommitted<T>> {
    if (tenant !== INSTALLATION) this.connections.presence.note(tenant);
    const opening = openUncommitted(work, async (toTheEnd, mayRepeat) => {
      if (tenant === INSTALLATION) return await transactionOfInstallation(this.connections, this.caller, toTheEnd);
      return await retrying(() => this.inPool(tenant, toTheEnd), mayRepeat);
    });
    const uncommitted = await reportingQuery(this.caller, opening);
    return tenant === INSTALLATION ? uncommitted : this.afterwards(tenant, uncommitted);
  }

  /**
   * An uncommitted transaction that notifies listeners once it is over. Its caller then waits for its tenant's turn at
   * the event loop.
   */
  private afterwards<T>(tenant: TenantId, { outcome, commit, rollBack }: Uncommitted<T>): Uncommitted<T> {
    return {
      outcome,
      rollBack,
      commit: async (last) => {
        await reportingQuery(this.caller, commit(last)).finally(() => this.news.note(tenant));
        await turnForRows(this.connections.time, tenant, [], this.caller);
      },
    };
  }

  async readShared(statement: Statement, parameters: Parameter[] = []): Promise<Row[]> {
    const { reads, searching } = this.connections;
    const { holder } = this.caller;
    const work = (begin: string) => (client: pg.Client) => runTransaction(client, begin, [{ statement, parameters }]);
    const onLane = () => reads.use(holder, work("begin read only"), this.caller);
    const inPool = () => searching.use(holder, work(`begin read only;${PATIENTLY}`), this.caller);
    const read = reading(() => unlessItWaits(onLane, inPool));
    const [rows] = await reportingQuery(this.caller, read);
    return rows ?? [];
  }

  async readFresh(tenant: TenantId, call: Call): Promise<Row[]> {
    return await readFresh(this.connections.requests, tenant, call);
  }

  async readAsWriting(tenant: TenantId, call: Call): Promise<Row[]> {
    const [rows] = await this.connections.sharedWrites.run(tenant, [call], this.caller);
    return rows ?? [];
  }

  async acrossTenants(call: Call): Promise<Row[]> {
    const work = (client: pg.Client) => runTransaction(client, `begin;${PATIENTLY}`, [call]);
    const [rows] = await retrying(() => this.connections.waiting.use(this.caller.holder, work, this.caller));
    return rows ?? [];
  }

  async owner(calls: Call[]): Promise<Row[][]> {
    return await runAsOwner(this.connections, this.caller, calls);
  }

  async ownerTransaction<T>(work: TransactionWork<T>): Promise<T> {
    return await asOwner({ ...this.connections.connection, ...AS_TEXT }, (client) =>
      inTransaction(client, "begin", work),
    );
  }

  async ownerTransactionUncommitted<T>(work: TransactionWork<T>): Promise<Uncommitted<T>> {
    const begin = async (toTheEnd: TransactionWork) => await this.ownerTransaction(toTheEnd);
    return await openUncommitted(work, begin, (last) => callOfTenant(INSTALLATION, last));
  }

  forCaller(caller: Caller): Database {
    return new CallerDatabase(this.connections, caller);
  }

  /** A copy: an object that inherits from one of these would make each of them slow. */
  writingBy(writing: DatabaseWriting): Database {
    return Object.assign(new CallerDatabase(this.connections, this.caller), writing);
  }

  get unattended(): Database {
    return this.connections.unattended();
  }

  leaveRoom(): void {
    this.connections.leaveRoom();
  }

  async close(): Promise<void> {
    await this.connections.close();
  }
}

class CallersReader implements Reader {
  readonly #connections: Connections;
  readonly #read: OnLanes["run"];
  readonly #caller: Caller;

  constructor(connections: Connections, read: OnLanes["run"], caller: Caller) {
    this.#connections = connections;
    this.#read = read;
    this.#caller = caller;
  }

  async readAll(tenant: TenantId, calls: Call[]): Promise<Row[][]> {
    if (tenant === INSTALLATION) return await runOfInstallation(this.#connections, "searching", this.#caller, calls);
    this.#connections.presence.note(tenant);
    const answers = await reportingQuery(this.#caller, this.#read(tenant, calls, this.#caller));
    // Reserves memory for the result before it is made. The answers to writes do not wait for it: they are done.
    const room = this.#caller.makeRoom?.(() => sizeOf(answers).characters);
    if (room !== undefined) await room;
    await turnForRows(this.#connections.time, tenant, answers, this.#caller);
    return answers;
  }

  async read(tenant: TenantId, statement: Statement, parameters: Parameter[] = []): Promise<Row[]> {
    const [rows] = await this.readAll(tenant, [{ statement, parameters }]);
    return rows ?? [];
  }
}
