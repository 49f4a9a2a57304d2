import pg from "pg";
import type { TestServer } from "./harness.ts";

/**
 * Does something while another one's transaction, which has run a statement, is open: it is committed as soon as what is
 * done waits for its locks.
 */
export async function whileHeld<T>(server: TestServer, statement: string, work: () => Promise<T>): Promise<T> {
  const other = new pg.Client(server.connection);
  await other.connect();
  try {
    await other.query(`begin; ${statement}`);
    const done = work();
    await server.untilWaiting(1);
    await other.query("commit");
    return await done;
  } finally {
    await other.end();
  }
}
