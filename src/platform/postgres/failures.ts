import pg from "pg";
import { errorCode, isOfFile } from "../error-code.ts";

/** The database is unavailable or gave up: the API's caller did nothing wrong. */
export class DatabaseUnavailable extends Error {
  /** Whether the connection broke during the work: the next one may work. */
  readonly connectionBroke: boolean;
  constructor(cause: unknown, connectionBroke: boolean) {
    super("The database is not available.", { cause });
    this.name = "DatabaseUnavailable";
    this.connectionBroke = connectionBroke;
  }
}

/** The connection ended before the transaction's commit was sent: it was rolled back completely. */
export class EndedBeforeCommit extends DatabaseUnavailable {}

// A serialization failure; a deadlock; a prepared statement whose preparation was lost with another unit's aborted
// transaction on the same connection, or that is prepared twice for that reason; a transaction that could not begin,
// because the commit before it was cancelled and left its transaction open.
const RETRYABLE = new Set(["40001", "40P01", "26000", "42P05", "25P02"]);
// read-only (a fail-over), idle in a transaction, lock timeout, cancelled by the statement timeout, out of resources,
// going away.
const UNAVAILABLE = /^(?:25006|25P03|55P03|57014|53...|57P0.|08...|58...)$/;
const GOING_AWAY = /^(?:25P03|57P0[12]|08...)$/;
// Citus reports with the code for internal errors that a node went away, or that the shard of a planned statement has
// been split since.
const UNEXPECTED = "XX000";
const NODE_WENT_AWAY = /\bconnection\b/;
const SHARD_WAS_DIVIDED = /could not find valid entry for shard/;

/** Whether a unique index rejected a row. A Citus node names the index only in the message, with a shard's number. */
export function isUniqueViolation(error: unknown, index: string): boolean {
  return isViolation(error, "23505", index);
}

function isViolation(error: unknown, code: string, constraint: string): boolean {
  if (!(error instanceof pg.DatabaseError) || error.code !== code) return false;
  const name = error.constraint ?? /"([^"]+)"/.exec(error.message)?.[1];
  return name?.replace(/_\d+$/, "") === constraint;
}

/** Whether a check constraint, or a function in place of one, rejected a row; its name as for isUniqueViolation. */
export function violatesCheck(error: unknown, constraint: string): boolean {
  return isViolation(error, "23514", constraint);
}

/** Whether PostgreSQL returned this code, its own or that of one of our functions. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof pg.DatabaseError && error.code === code;
}

/** Whether an administrator's command ended the connection: a new one may stay. */
export function wasEndedByCommand(error: unknown): boolean {
  return hasCode(error, "57P01");
}

const NO_CONNECTION_LEFT = "53300";

/** Whether PostgreSQL has no free connection for us. No statement was sent in that case. */
export function hasNoConnectionLeft(error: unknown): boolean {
  return hasCode(error, NO_CONNECTION_LEFT) || isUnavailableBy(error, NO_CONNECTION_LEFT);
}

/**
 * Whether the database rejected the data of a statement (a constraint, a value out of range), and would do so again.
 */
export function isRefused(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? "");
}

export function isLockTimeout(error: unknown): boolean {
  return isUnavailableBy(error, "55P03");
}

/** Whether a statement exceeded its time limit. */
export function isTimedOut(error: unknown): boolean {
  return isUnavailableBy(error, "57014");
}

/** Whether PostgreSQL itself gave up the work, on a connection that remains usable. */
export function isAnswer({ cause, connectionBroke }: DatabaseUnavailable): boolean {
  return cause instanceof pg.DatabaseError && !connectionBroke;
}

function isUnavailableBy(error: unknown, code: string): boolean {
  return error instanceof DatabaseUnavailable && error.cause instanceof pg.DatabaseError && error.cause.code === code;
}

/**
 * Also true for a transaction that PostgreSQL ended because this process paused in it: it was rolled back completely.
 * PostgreSQL reports this if its message is read before the next write.
 */
export function isRetryable(error: unknown): boolean {
  if (error instanceof EndedBeforeCommit) return true;
  if (!(error instanceof pg.DatabaseError)) return isUnavailableBy(error, "25P03");
  const { code = "", message } = error;
  return RETRYABLE.has(code) || (code === UNEXPECTED && SHARD_WAS_DIVIDED.test(message));
}

/**
 * A PostgreSQL error about the statement is returned unchanged; any other error means that the database is unavailable.
 */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof pg.DatabaseError) {
    const { code = "", message } = error;
    if (code === UNEXPECTED && NODE_WENT_AWAY.test(message)) return new DatabaseUnavailable(error, true);
    return UNAVAILABLE.test(code) ? new DatabaseUnavailable(error, GOING_AWAY.test(code)) : error;
  }
  return isConnectionError(error) ? new DatabaseUnavailable(error, !isTimeout(error)) : error;
}

/** The failure of a transaction whose commit was not sent. */
export function beforeCommit(error: unknown): unknown {
  const failure = asUnavailable(error);
  const isGone = failure instanceof DatabaseUnavailable && /^(?:EPIPE|ECONNRESET)$/.test(errorCode(failure.cause));
  return isGone ? new EndedBeforeCommit(failure.cause, true) : failure;
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && /timeout/i.test(error.message);
}

function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error) || isOfFile(error)) return false;
  // The codes of the system and of streams; a programming error has a code too (ERR_INVALID_ARG_TYPE).
  return (
    /^(?:E(?!RR_)|ERR_STREAM_)/.test(errorCode(error)) || /connection|closed|not queryable|timeout/i.test(error.message)
  );
}
