import pg from "pg";
import type { Logger } from "../logger.ts";
import type { TenantId } from "./tenant-id.ts";
import { Lane } from "./lane.ts";
import { Coalescer, wasTakenBack, type CoalescerOptions } from "./coalescer.ts";
import { Pool } from "./pool.ts";
import { reading, retrying, startingWith } from "./retries.ts";
import type { Call, Parameter, Row, Statement, StoredRecord } from "./statement.ts";
import { isLockTimeout } from "./failures.ts";
import { inTransaction, runUnit, sendUnit } from "./unit-of-work.ts";

/**
 * The way to PostgreSQL. Every unit of work is part of one transaction, which is opened with its tenant, `begin; set
 * local app.tenant_id`, and sent together with its statements and the commit in one write. The tenant is also the first
 * parameter ($1) of every statement. No tenant set = no rows (row-level security). Units of the same tenant that are
 * asked for at the same time may share a transaction (coalescer.ts); none sees another's half-done work.
 *
 * All of these fail with DatabaseUnavailable when the database is away or overloaded, and with pg.DatabaseError for
 * what a statement itself did wrong.
 */
export type Database = {
  /** Quick read-only statements, on shared pipelined connections. Repeated if the connection breaks. */
  quick: Reader;
  /** Read-only statements that may take long (search, big counts), off the quick ones' connections. Repeated likewise. */
  slow: Reader;
  /** Statements that are sent together and committed together; a deadlock is retried. Rows per statement. */
  write(tenant: TenantId, calls: Call[]): Promise<Row[][]>;
  /** Statements that depend on each other's answers. The connection is the transaction's own until it ends. */
  transaction<T>(tenant: TenantId, work: (run: Run) => Promise<T>): Promise<T>;
  /** A read of what no tenant owns (the list of tenants). */
  readShared(statement: Statement, parameters?: Parameter[]): Promise<Row[]>;
  /**
   * Statements as the login role, the owner of the tables, in a transaction on a connection of their own: for what no
   * tenant may do (creating tenants). Row-level security does not bind it, so every statement names its tenant.
   */
  owner(calls: Call[]): Promise<Row[][]>;
  /** Lets what is in flight finish, for a second; then it fails. */
  close(): Promise<void>;
};

/** How to reach a database as its login role. */
export type Connection = pg.ClientConfig;

export type Reader = {
  read(tenant: TenantId, statement: Statement, parameters?: Parameter[]): Promise<Row[]>;
  /** Several statements on one snapshot of the data. Rows per statement. */
  readAll(tenant: TenantId, calls: Call[]): Promise<Row[][]>;
};

/** Runs one statement of a transaction; the tenant is its $1. */
export type Run = (statement: Statement, parameters?: Parameter[]) => Promise<Row[]>;

export type DatabaseOptions = {
  connection: Connection;
  logger: Logger;
  /** Shared pipelined connections for quick reads. */
  lanes?: number;
  /** The same for writes: more, because each waits for the disk at its commit. */
  writeLanes?: number;
  /** Connections for what may take long. */
  poolSize?: number;
};

const QUICK_TIMEOUT_MS = 10_000;
const SLOW_TIMEOUT_MS = 30_000;
const LOCK_TIMEOUT_MS = 5_000;
/** A write that waits for a row's lock holds up all behind it on its lane: soon it goes to wait on a connection of its own. */
const LANE_LOCK_TIMEOUT_MS = 100;
const CONNECT_TIMEOUT_MS = 3_000;
const CLOSE_PATIENCE_MS = 1_000;
/** Transactions of one tenant at once on two lanes, so that each always has the next one there. */
const READS_AT_ONCE = 4;
/** Of one statement: what comes meanwhile makes the next one larger. */
const WRITES_AT_ONCE = 1;

export function openDatabase({
  connection,
  logger,
  lanes = 2,
  writeLanes = 4,
  poolSize = 4,
}: DatabaseOptions): Database {
  const quick = connectAsApp(connection, QUICK_TIMEOUT_MS);
  const reads = Array.from({ length: lanes }, () => new Lane(quick, logger));
  const impatient = connectAsApp(connection, QUICK_TIMEOUT_MS, LANE_LOCK_TIMEOUT_MS);
  const writes = Array.from({ length: writeLanes }, () => new Lane(impatient, logger));
  const pool = new Pool(connectAsApp(connection, SLOW_TIMEOUT_MS), poolSize, SLOW_TIMEOUT_MS + LOCK_TIMEOUT_MS, logger);
  const quickReading = coalesceReads(reads);
  const writing = coalesceWrites(writes, pool);

  return {
    quick: reader(async (tenant, calls) => await quickReading.run(tenant, "", calls)),
    slow: reader(async (tenant, calls) => await reading(() => pool.use(readingUnit(tenant, calls)))),
    async write(tenant, calls) {
      const [only] = calls;
      // Only what becomes one statement shares: two transactions of several statements could lock the same rows crosswise.
      const kind = calls.length === 1 && only?.records !== undefined ? only.statement.name : "";
      return kind === "" ? await writeAlone(writes, pool, tenant, calls, null) : await writing.run(tenant, kind, calls);
    },
    async transaction(tenant, work) {
      return await retrying(() =>
        pool.use((client) =>
          inTransaction(client, beginWriting(tenant), (run) =>
            work((statement, parameters = []) => run(statement, [tenant, ...parameters])),
          ),
        ),
      );
    },
    async readShared(statement, parameters = []) {
      const unit: Unit = async (client) => await runUnit(client, "begin read only", [{ statement, parameters }]);
      const [rows] = await reading(() => shortest(reads).use(unit));
      return rows ?? [];
    },
    async owner(calls) {
      return await asOwner({ ...connection, ...AS_TEXT, pipeline: true }, (client) => runUnit(client, "begin", calls));
    },
    async close() {
      const lanesOpen = [...reads, ...writes];
      let timer: NodeJS.Timeout | undefined;
      const impatience = new Promise<void>((resolve) => {
        timer = setTimeout(() => {
          for (const lane of lanesOpen) lane.cut();
          pool.cut();
          resolve();
        }, CLOSE_PATIENCE_MS);
      });
      await Promise.race([impatience, Promise.all([quickReading.drained(), writing.drained()])]);
      await Promise.all([...lanesOpen.map((lane) => lane.close()), pool.close()]);
      clearTimeout(timer);
    },
  };
}

function coalesceReads(lanes: Lane[]): Coalescer {
  return new Coalescer({
    attempt: sendOn(lanes, beginReading),
    async alone(tenant, calls, attempted) {
      return await reading(startingWith(attempted, () => shortest(lanes).use(readingUnit(tenant, calls))));
    },
    mayRepeat: () => true,
    early: true,
    atOnce: READS_AT_ONCE,
  });
}

function coalesceWrites(lanes: Lane[], pool: Pool): Coalescer {
  return new Coalescer({
    attempt: sendOn(lanes, beginWriting),
    alone: async (tenant, calls, attempted) => await writeAlone(lanes, pool, tenant, calls, attempted),
    mayRepeat: wasTakenBack,
    early: false,
    atOnce: WRITES_AT_ONCE,
  });
}

function sendOn(lanes: Lane[], begin: (tenant: TenantId) => string): CoalescerOptions["attempt"] {
  return async (tenant, calls, answered) => {
    await shortest(lanes).use((client) => sendUnit(client, begin(tenant), withTenant(tenant, calls), answered));
  };
}

/** What waits in vain for a lock on a lane goes on waiting in the pool. */
async function writeAlone(
  lanes: Lane[],
  pool: Pool,
  tenant: TenantId,
  calls: Call[],
  attempted: Promise<Row[][]> | null,
): Promise<Row[][]> {
  const unit = writingUnit(tenant, calls);
  const attempt = startingWith(attempted, () => shortest(lanes).use(unit));
  return await retrying(async () => {
    try {
      return await attempt();
    } catch (error) {
      if (isLockTimeout(error)) return await pool.use(unit);
      throw error;
    }
  });
}

function reader(readAll: Reader["readAll"]): Reader {
  return {
    readAll,
    async read(tenant, statement, parameters = []) {
      const [rows] = await readAll(tenant, [{ statement, parameters }]);
      return rows ?? [];
    },
  };
}

/** A connection as the login role itself, the owner of the tables: migrations, tenants, installation settings. */
export async function asOwner<T>(connection: Connection, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    ...connection,
    options: `${connection.options ?? ""} -c timezone=UTC -c client_encoding=UTF8`,
  });
  client.on("error", () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The role that owns nothing from the first statement on; one DATABASE_URL is enough for both roles. */
function connectAsApp(
  connection: Connection,
  statementTimeout: number,
  lockTimeout = LOCK_TIMEOUT_MS,
): pg.ClientConfig {
  return {
    ...connection,
    pipeline: true,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: "liaison",
    options: [
      connection.options ?? "",
      "-c role=liaison_app -c timezone=UTC -c datestyle=ISO -c jit=off -c client_encoding=UTF8",
      `-c statement_timeout=${statementTimeout} -c lock_timeout=${lockTimeout}`,
      // Every statement looks up few rows by index. A generic plan that knows no tenant's size would rather hash a large
      // one's companies whole (measured: a search of 3 ms took 123 ms from its sixth execution on), and one that was
      // made while a table was all but empty would go on reading the whole of it.
      "-c enable_hashjoin=off -c enable_mergejoin=off -c enable_seqscan=off",
      "-c idle_in_transaction_session_timeout=60000",
    ].join(" "),
    ...AS_TEXT,
  };
}

/** Values arrive as PostgreSQL's text, in UTC; each noun's own mapping reads them. */
const AS_TEXT = { types: { getTypeParser: () => (value: string | Buffer) => value as string } };

function beginReading(tenant: TenantId): string {
  return `begin isolation level repeatable read read only;set local app.tenant_id = '${tenant}'`;
}

function beginWriting(tenant: TenantId): string {
  return `begin;set local app.tenant_id = '${tenant}'`;
}

type Unit = (client: pg.Client) => Promise<Row[][]>;

function readingUnit(tenant: TenantId, calls: Call[]): Unit {
  return async (client) => await runUnit(client, beginReading(tenant), withTenant(tenant, calls));
}

function writingUnit(tenant: TenantId, calls: Call[]): Unit {
  return async (client) => await runUnit(client, beginWriting(tenant), withTenant(tenant, calls));
}

function withTenant(tenant: TenantId, calls: Call[]): Call[] {
  return calls.map(({ statement, parameters, records, answers }) => {
    if (records === undefined) return { statement, parameters: [tenant, ...parameters] };
    // Rows are locked in the order of the records: everywhere the same, so that no two writers wait for each other's.
    const ordered = answers === "by id" ? records.toSorted(byId) : records;
    return { statement, parameters: [tenant, JSON.stringify(ordered)] };
  });
}

/** Ids as text without leading zeros. */
function byId({ id: a }: StoredRecord, { id: b }: StoredRecord): number {
  const [one, other] = [String(a), String(b)];
  return one.length - other.length || (one < other ? -1 : 1);
}

function shortest(lanes: Lane[]): Lane {
  return lanes.reduce((best, lane) => (lane.inFlight < best.inFlight ? lane : best));
}
