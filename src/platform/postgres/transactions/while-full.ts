import { sleep, steady } from "../../clock.ts";
import { hasNoConnectionLeft } from "../failures.ts";

/**
 * Servers notice within five seconds that a database has no free connection, and then close some
 * (connection-budget.ts).
 */
const PATIENCE_MS = 20_000;
const RETRY_MS = 250;

/** For a while, repeats attempts for which PostgreSQL has no free connection. Such an attempt did nothing. */
export async function retryWhileFull<T>(attempt: () => Promise<T>): Promise<T> {
  const deadline = steady() + PATIENCE_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!hasNoConnectionLeft(error) || steady() > deadline) throw error;
      await sleep(RETRY_MS);
    }
  }
}
