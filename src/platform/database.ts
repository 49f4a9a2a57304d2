import pg from "pg";
import { sleep } from "./clock.ts";
import type { Logger } from "./logger.ts";
import type { TenantId } from "./tenant-id.ts";
import { Lane } from "./lane.ts";
import type { Call, Parameter, Row, Statement } from "./statement.ts";
import { cut, DatabaseUnavailable, inTransaction, isLockTimeout, isRetryable, runUnit } from "./unit-of-work.ts";

/**
 * The way to PostgreSQL. Every unit of work is one transaction opened with its tenant, `begin; set local
 * app.tenant_id`, sent together with its statements and the commit in one write. The tenant is also the first
 * parameter ($1) of every statement. No tenant set = no rows (row-level security).
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
/** How long work waits for a connection of the pool, and how much of it may: the rest is refused at once. */
const POOL_WAIT_MS = 10_000;
const MAX_WAITING = 1_000;
const CLOSE_PATIENCE_MS = 1_000;
const RETRIES = 8;
const READ_TRIES = 4;
const RETRY_SPREAD_MS = 10;

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
  const pool = new pg.Pool({
    ...connectAsApp(connection, SLOW_TIMEOUT_MS),
    max: poolSize,
    // pg waits for ever unless told.
    connectionTimeoutMillis: POOL_WAIT_MS,
    // For a server that is gone without a word; a statement's own limit comes first.
    query_timeout: SLOW_TIMEOUT_MS + LOCK_TIMEOUT_MS,
    idleTimeoutMillis: 30_000,
  });
  const pooled = new Set<pg.Client>();
  pool.on("connect", (client) => {
    pooled.add(client);
    // The pool does not listen to a client in use; whoever uses it learns of the error from its own statements.
    client.on("error", () => {});
  });
  pool.on("remove", (client) => pooled.delete(client));
  // Without a listener, an error on an idle client would end the process. The pool replaces the client.
  pool.on("error", (error) => logger.warn({ err: error }, "an idle database connection broke"));

  return {
    quick: reader((unit) => onLane(reads, unit)),
    slow: reader((unit) => reading(() => withPooled(pool, unit))),
    async write(tenant, calls) {
      const unit = (client: pg.Client) => runUnit(client, beginWriting(tenant), withTenant(tenant, calls));
      return await retrying(async () => {
        try {
          return await shortest(writes).use(unit);
        } catch (error) {
          if (isLockTimeout(error)) return await withPooled(pool, unit);
          throw error;
        }
      });
    },
    async transaction(tenant, work) {
      return await retrying(() =>
        withPooled(pool, (client) =>
          inTransaction(client, beginWriting(tenant), (run) =>
            work((statement, parameters = []) => run(statement, [tenant, ...parameters])),
          ),
        ),
      );
    },
    async readShared(statement, parameters = []) {
      const [rows] = await onLane(reads, (client) => runUnit(client, "begin read only", [{ statement, parameters }]));
      return rows ?? [];
    },
    async owner(calls) {
      return await asOwner({ ...connection, ...AS_TEXT, pipeline: true }, (client) => runUnit(client, "begin", calls));
    },
    async close() {
      const lanesOpen = [...reads, ...writes];
      const impatience = setTimeout(() => {
        for (const lane of lanesOpen) lane.cut();
        for (const client of pooled) cut(client);
      }, CLOSE_PATIENCE_MS);
      await Promise.all([...lanesOpen.map((lane) => lane.close()), pool.end()]);
      clearTimeout(impatience);
    },
  };
}

function reader(run: (unit: (client: pg.Client) => Promise<Row[][]>) => Promise<Row[][]>): Reader {
  async function readAll(tenant: TenantId, calls: Call[]): Promise<Row[][]> {
    return await run((client) => runUnit(client, beginReading(tenant), withTenant(tenant, calls)));
  }
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
      // one's companies whole (measured: a search of 3 ms took 123 ms from its sixth execution on).
      "-c enable_hashjoin=off -c enable_mergejoin=off",
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

function withTenant(tenant: TenantId, calls: Call[]): Call[] {
  return calls.map(({ statement, parameters }) => ({ statement, parameters: [tenant, ...parameters] }));
}

/** Runs reads on the lane with the least in flight. */
async function onLane<T>(lanes: Lane[], unit: (client: pg.Client) => Promise<T>): Promise<T> {
  return await reading(() => shortest(lanes).use(unit));
}

/**
 * Reads again if the connection broke: what only reads has changed nothing. Several times, because when one connection
 * breaks the next has often broken with it, unnoticed yet.
 */
async function reading<T>(read: () => Promise<T>): Promise<T> {
  return await retrying(async () => {
    for (let tries = 1; ; tries++) {
      try {
        return await read();
      } catch (error) {
        if (tries === READ_TRIES || !(error instanceof DatabaseUnavailable) || !error.connectionBroke) throw error;
      }
    }
  });
}

function shortest(lanes: Lane[]): Lane {
  return lanes.reduce((best, lane) => (lane.inFlight < best.inFlight ? lane : best));
}

async function withPooled<T>(pool: pg.Pool, work: (client: pg.Client) => Promise<T>): Promise<T> {
  if (pool.waitingCount >= MAX_WAITING) throw new DatabaseUnavailable("too many requests wait for it", false);
  let client: pg.PoolClient;
  try {
    client = await pool.connect();
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

/**
 * A deadlock's victim has changed nothing, so it may try again (decisions 10): after a while that grows and differs, so
 * that the same ones do not meet again.
 */
async function retrying<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isRetryable(error)) throw error;
      if (tries > RETRIES) throw new DatabaseUnavailable(error, true);
      await sleep(Math.random() * tries * RETRY_SPREAD_MS);
    }
  }
}
