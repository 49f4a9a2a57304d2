import type { Socket } from "node:net";
import type pg from "pg";
import { asUnavailable, beforeCommit } from "../failures.ts";
import { noteStatement } from "../statement-tallies.ts";
import type { Call, Row } from "../statement.ts";
import type { TenantId } from "../tenant-id.ts";
import { makeRoom } from "./cached-statements.ts";
import { cancelUntil } from "./cancel.ts";
import { RowsQuery } from "./rows-query.ts";

/**
 * Receives the rows of each call, by its index, before the commit; null for the first call that fails. `ms` is the time
 * that PostgreSQL needed for it.
 */
export type Answered = (index: number, rows: Row[] | null, ms: number) => void;

/**
 * Sends a whole transaction in one write and resolves once it is committed. If a call fails, the final commit rolls
 * back, and the promise is rejected with the first failure.
 * @param patienceMs a longer transaction is cancelled; the request may arrive late and cancel the next one
 * @param last returns the last calls once all others are answered, on a connection with no other user: they are sent
 *   with the commit. If it throws, the transaction is rolled back
 */
export async function sendTransaction(
  client: pg.Client,
  begin: string,
  calls: Call[],
  answered: Answered,
  patienceMs: number | null,
  last?: () => Promise<Call[]>,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    let failure: unknown = null;
    let answeredAt = 0;
    let watch: NodeJS.Timeout | undefined;
    const fail = (error: unknown) => {
      if (error !== null) failure ??= error;
    };
    const stopWatching = () => {
      clearTimeout(watch);
      watch = undefined;
    };
    const end = () => {
      client.query("commit", (error: Error | null) => {
        stopWatching();
        fail(error);
        if (failure === null) resolve();
        else reject(asUnavailable(failure));
      });
    };
    const rollBack = () => {
      client.query("rollback", (error: Error | null) => {
        fail(error);
        reject(asUnavailable(failure));
      });
    };
    const endWith = async (lastCalls: () => Promise<Call[]>) => {
      try {
        const calls = await lastCalls();
        corkUntilNextTick(client);
        for (const { statement, parameters } of calls) client.query(new RowsQuery(statement, parameters, fail));
        end();
      } catch (refusal) {
        fail(refusal);
        rollBack();
      }
    };
    corkUntilNextTick(client);
    makeRoom(client, calls);
    client.query(begin, (error: Error | null) => {
      fail(error);
      answeredAt = performance.now();
      if (patienceMs !== null) watch = setTimeout(cancelUnlessAnswered, patienceMs, client, () => watch === undefined);
    });
    for (const [index, { statement, parameters }] of calls.entries()) {
      client.query(
        new RowsQuery(statement, parameters, (error, rows) => {
          const ms = performance.now() - answeredAt;
          answeredAt += ms;
          noteStatement(statement, ms);
          // If `begin` failed, a statement had no tenant: its result is meaningless.
          if (error === null && failure === null) answered(index, rows, ms);
          else if (failure === null) answered(index, null, ms);
          fail(error);
          if (last === undefined || index < calls.length - 1) return;
          stopWatching();
          if (failure === null) void endWith(last);
          else rollBack();
        }),
      );
    }
    if (last === undefined) end();
  });
}

/** If this process stalled, the answer may have arrived unread. */
function cancelUnlessAnswered(client: pg.Client, isAnswered: () => boolean): void {
  setImmediate(() => void cancelUntil(client, isAnswered));
}

/**
 * sendTransaction, for its rows: those of each call.
 * @param last receives these rows, and returns the last calls
 */
export async function runTransaction(
  client: pg.Client,
  begin: string,
  calls: Call[],
  patienceMs: number | null = null,
  last?: (rows: Row[][]) => Promise<Call[]>,
): Promise<Row[][]> {
  const results: Row[][] = [];
  const answered: Answered = (_index, rows) => {
    if (rows !== null) results.push(rows);
  };
  await sendTransaction(client, begin, calls, answered, patienceMs, last && (async () => await last(results)));
  return results;
}

export const LOCK_TIMEOUT_MS = 5_000;
export const PATIENTLY = `set local lock_timeout = ${LOCK_TIMEOUT_MS}`;

/** The beginning of a transaction that only reads. */
export function beginReading(tenant: TenantId): string {
  return `begin isolation level repeatable read read only;set local app.tenant_id = '${tenant}'`;
}

/** The same on a separate connection, where a wait for a lock blocks no other work. */
export function beginReadingPatiently(tenant: TenantId): string {
  return `${beginReading(tenant)};${PATIENTLY}`;
}

export function beginWriting(tenant: TenantId): string {
  return `begin;set local app.tenant_id = '${tenant}'`;
}

/** For a separate connection, where a wait for a lock blocks no other work. */
export function beginPatiently(tenant: TenantId): string {
  return `${beginWriting(tenant)};${PATIENTLY}`;
}

/** Makes one call of a transaction; the tenant, if there is one, is its $1. */
export type Run = (call: Call) => Promise<Row[]>;

/**
 * Does a part of a transaction: if it throws, its writes are rolled back, and the transaction may continue. One at a
 * time.
 */
export type Savepoint = <T>(work: () => Promise<T>) => Promise<T>;

/** Runs a transaction whose statements depend on each other. It is rolled back if the work throws. */
export async function inTransaction<T>(
  client: pg.Client,
  begin: string,
  work: (run: Run, savepoint: Savepoint) => Promise<T>,
): Promise<T> {
  // PostgreSQL may end the connection between two statements; the next one would fail without saying why.
  let ended: Error | null = null;
  const note = (error: Error) => (ended ??= error);
  let isCommitting = false;
  const savepoint: Savepoint = async (some) => {
    await client.query("savepoint part");
    try {
      const result = await some();
      await client.query("release savepoint part");
      return result;
    } catch (error) {
      // After everything sent before it, whatever its outcome.
      await client.query("rollback to savepoint part");
      throw error;
    }
  };
  client.on("error", note);
  try {
    await client.query(begin);
    const result = await work(async ({ statement, parameters }) => {
      const sentAt = performance.now();
      return await new Promise<Row[]>((resolve, reject) => {
        const query = new RowsQuery(statement, parameters, (error, rows) => {
          noteStatement(statement, performance.now() - sentAt);
          if (error === null) resolve(rows);
          else reject(error);
        });
        client.query(query);
      });
    }, savepoint);
    isCommitting = true;
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw isCommitting ? asUnavailable(ended ?? error) : beforeCommit(ended ?? error);
  } finally {
    client.off("error", note);
  }
}

/** Breaks the connection: everything that waits on it fails at once. */
export function cut(client: pg.Client): void {
  streamOf(client).destroy();
}

/** Sends everything that is written in this turn of the event loop in one system call. */
function corkUntilNextTick(client: pg.Client): void {
  const stream = streamOf(client);
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** The bytes that have arrived on the connection so far. */
export function bytesRead(client: pg.Client): number {
  return streamOf(client).bytesRead;
}

/** pg's own pipelining does not combine the writes of one turn. Without TLS the stream is the socket itself. */
function streamOf({ connection }: pg.Client): Socket {
  return connection.stream as Socket;
}
