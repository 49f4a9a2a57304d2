import type { Socket } from "node:net";
import pg from "pg";
import { RowsQuery } from "./rows-query.ts";
import type { Call, Parameter, Row, Statement } from "./statement.ts";

/** The database is away, overloaded or gave up: nothing that the caller of the API did wrong. */
export class DatabaseUnavailable extends Error {
  /** Whether a connection broke under the work: the next one may be whole. */
  readonly connectionBroke: boolean;
  constructor(cause: unknown, connectionBroke: boolean) {
    super("The database is not available.", { cause });
    this.name = "DatabaseUnavailable";
    this.connectionBroke = connectionBroke;
  }
}

// serialization failure, deadlock; a prepared statement whose preparation was lost with an aborted transaction of
// another unit on the same connection, or that is therefore prepared twice.
const RETRYABLE = new Set(["40001", "40P01", "26000", "42P05"]);
// read-only (a fail-over), lock timeout, cancelled by the statement timeout, out of resources, going away.
const UNAVAILABLE = /^(?:25006|55P03|57014|53...|57P0.|08...|58...)$/;
const GOING_AWAY = /^(?:57P0[12]|08...)$/;

/** Whether a unique index refused a row. On Citus its name ends with the number of a shard. */
export function isUniqueViolation(error: unknown, index: string): boolean {
  if (!(error instanceof pg.DatabaseError) || error.code !== "23505") return false;
  return error.constraint?.replace(/_\d+$/, "") === index;
}

/** Whether the database refused the data of a statement (a constraint, a value out of range), and would again. */
export function isRefused(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? "");
}

export function isLockTimeout(error: unknown): boolean {
  return isUnavailableBy(error, "55P03");
}

/** Whether a statement took longer than it may. */
export function isTimedOut(error: unknown): boolean {
  return isUnavailableBy(error, "57014");
}

function isUnavailableBy(error: unknown, code: string): boolean {
  return error instanceof DatabaseUnavailable && error.cause instanceof pg.DatabaseError && error.cause.code === code;
}

export function isRetryable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && RETRYABLE.has(error.code ?? "");
}

/** Is told the rows of each call, by its index, before the transaction is committed; null of the first that fails. */
export type Answered = (index: number, rows: Row[] | null) => void;

/**
 * Sends a whole transaction in one write and resolves once it is committed. When a call fails the trailing commit rolls
 * back, and the promise is rejected with the first failure.
 */
export async function sendUnit(client: pg.Client, begin: string, calls: Call[], answered: Answered): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    let failure: Error | null = null;
    const fail = (error: Error | null) => {
      if (error !== null) failure ??= error;
    };
    holdWrites(client);
    client.query(begin, fail);
    for (const [index, { statement, parameters }] of calls.entries()) {
      client.query(
        new RowsQuery(statement, parameters, (error, rows) => {
          if (error === null) return answered(index, rows);
          if (failure === null) answered(index, null);
          fail(error);
        }),
      );
    }
    client.query("commit", (error: Error | null) => {
      fail(error);
      if (failure === null) resolve();
      else reject(asUnavailable(failure));
    });
  });
}

/** sendUnit, for its rows: those of each call. */
export async function runUnit(client: pg.Client, begin: string, calls: Call[]): Promise<Row[][]> {
  const results: Row[][] = [];
  await sendUnit(client, begin, calls, (_index, rows) => {
    if (rows !== null) results.push(rows);
  });
  return results;
}

/** Runs a transaction whose statements depend on each other. Rolled back when the work throws. */
export async function inTransaction<T>(
  client: pg.Client,
  begin: string,
  work: (run: (statement: Statement, parameters: Parameter[]) => Promise<Row[]>) => Promise<T>,
): Promise<T> {
  try {
    await client.query(begin);
    const result = await work(async (statement, parameters) => {
      return await new Promise<Row[]>((resolve, reject) => {
        const query = new RowsQuery(statement, parameters, (error, rows) =>
          error === null ? resolve(rows) : reject(error),
        );
        client.query(query);
      });
    });
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw asUnavailable(error);
  }
}

/** An answer from PostgreSQL about the statement stays itself; anything else means that the database is not there. */
function asUnavailable(error: unknown): unknown {
  if (error instanceof pg.DatabaseError) {
    const { code = "" } = error;
    return UNAVAILABLE.test(code) ? new DatabaseUnavailable(error, GOING_AWAY.test(code)) : error;
  }
  return isConnectionError(error) ? new DatabaseUnavailable(error, !isTimeout(error)) : error;
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && /timeout/i.test(error.message);
}

function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // The system's codes and those of streams; a programming error has a code too (ERR_INVALID_ARG_TYPE).
  const { code = "" } = error as NodeJS.ErrnoException;
  return /^(?:E(?!RR_)|ERR_STREAM_)/.test(code) || /connection|closed|not queryable|timeout/i.test(error.message);
}

/** Breaks the connection: everything that waits on it fails at once. */
export function cut(client: pg.Client): void {
  streamOf(client).destroy();
}

/** Gathers everything that is sent in this turn of the event loop into one system call. */
function holdWrites(client: pg.Client): void {
  const stream = streamOf(client);
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** How much has arrived on the connection so far. */
export function bytesRead(client: pg.Client): number {
  return streamOf(client).bytesRead;
}

/** pg keeps the socket to itself; its own pipelining does not gather what is written in one turn. */
function streamOf(client: pg.Client): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}
