import type { Socket } from "node:net";
import type pg from "pg";
import { asUnavailable } from "./failures.ts";
import { RowsQuery } from "./rows-query.ts";
import type { Call, Parameter, Row, Statement } from "./statement.ts";

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
