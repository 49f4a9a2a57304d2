import pg from "pg";
import type { TestServer } from "./harness.ts";

/**
 * Does something while another one's transaction, which has run a statement, is open: it is committed as soon as what
 * is done waits for its locks.
 */
export async function whileHeld<T>(server: TestServer, statement: string, work: () => Promise<T>): Promise<T> {
  return await untilLetGo(server, statement, async (letGo) => {
    const done = work();
    await server.untilWaiting(1);
    await letGo();
    return await done;
  });
}

/** Does something while another one's transaction, which has run a statement, is open until it is let go. */
export async function untilLetGo<T>(
  server: TestServer,
  statement: string,
  work: (letGo: () => Promise<unknown>) => Promise<T>,
): Promise<T> {
  const other = new pg.Client(server.connection);
  await other.connect();
  try {
    await other.query(`begin; ${statement}`);
    return await work(async () => await other.query("commit"));
  } finally {
    await other.end();
  }
}
