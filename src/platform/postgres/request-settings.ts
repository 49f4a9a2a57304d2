import type pg from "pg";

/**
 * A write that waits for a row's lock blocks everything behind it on its lane. After this time it moves to a separate
 * connection.
 */
export const LANE_LOCK_TIMEOUT_MS = 25;

/** The settings of every connection of requests, and on a cluster of those between its nodes. */
export const requestSettings: Readonly<Record<string, string>> = {
  timezone: "UTC",
  datestyle: "ISO",
  jit: "off",
  // Every statement looks up few rows by index. A generic plan does not know the tenant's size, and would hash all
  // companies of a large one (measured: a search of 3 ms took 123 ms from its sixth execution on). A plan that was made
  // while a table was almost empty would read all of it later.
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  enable_seqscan: "off",
  // One tenant's search uses one processor and leaves the others free.
  max_parallel_workers_per_gather: "0",
  lock_timeout: String(LANE_LOCK_TIMEOUT_MS),
};

/** Values arrive as PostgreSQL's text, in UTC; each noun's own mapping reads them. */
export const AS_TEXT = { types: { getTypeParser: () => (value: string | Buffer) => value as string } };

/** The time for opening a connection, unless its configuration has another one. */
export const CONNECT_TIMEOUT_MS = 3_000;

/** Connects with the limits and planner settings of requests from the first statement on. */
export function connectAsApp(connection: pg.ClientConfig, statementTimeout: number): pg.ClientConfig {
  return {
    ...connection,
    pipeline: true,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: "liaison",
    options: [
      connection.options ?? "",
      `-c client_encoding=UTF8 -c statement_timeout=${statementTimeout}`,
      ...Object.entries(requestSettings).map(([name, value]) => `-c ${name}=${value}`),
      // A process that pauses in a transaction loses its locks after this time. It repeats the transaction.
      "-c idle_in_transaction_session_timeout=5000",
    ].join(" "),
    ...AS_TEXT,
  };
}
