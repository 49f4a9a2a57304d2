import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { advisoryLocks, tryLock } from "../advisory-locks.ts";
import { cancelUntil } from "../transactions/cancel.ts";

/** A wait for other connections that does not block them. */
export type Waiting = {
  /** Reports what the wait is for: facts for a log, and a line of text. */
  report: (facts: Record<string, unknown>, line: string) => void;
  stop: AbortSignal;
};

/**
 * The lock timeout, doubled for each further attempt. Requests wait behind it for as long, and behind two locks for up
 * to a second.
 */
const [FIRST_WAIT_MS, LONGEST_WAIT_MS] = [100, 500];
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [250, 30_000];
/** Building an index of millions of rows takes minutes, during which a start would otherwise print nothing. */
const AT_WORK_MS = 10_000;
const RETRY_MS = 100;
const TRIES_UNTIL_REPORTED = 50;

/** A lock timeout; a deadlock that PostgreSQL ended by cancelling our statement. */
const PASSING = new Set(["55P03", "40P01"]);

/**
 * Waits until no other process migrates, and locks until the connection ends. It polls: a waiting statement would have
 * a snapshot, and `create index concurrently` of the other process would wait for it to end.
 */
export async function lockMigrations(client: pg.Client, { report, stop }: Waiting): Promise<void> {
  for (let turns = 0; !(await tryLock(client, advisoryLocks.migration)); turns++) {
    if (turns === TRIES_UNTIL_REPORTED) report({}, "another process migrates the database, and is waited for");
    await pause(RETRY_MS, stop);
  }
}

/**
 * Repeats the work until it gets its locks. The work receives its lock timeout, and reports its current migration.
 * Between two attempts it has no locks and pauses.
 */
export async function givingWay(
  client: pg.Client,
  { report, stop }: Waiting,
  work: (lockTimeoutMs: number, isAt: (migration: string) => void) => Promise<void>,
): Promise<void> {
  await noticeAutovacuum(client);
  let [current, stuckAt, tries] = ["", "", 0];
  for (;;) {
    const waitMs = doubled(FIRST_WAIT_MS, tries, LONGEST_WAIT_MS);
    const atWork = setInterval(
      () => report({ migration: current }, "a migration is running"),
      AT_WORK_MS,
    );
    try {
      return await work(waitMs, (migration) => (current = migration)).finally(() => clearInterval(atWork));
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || !PASSING.has(error.code ?? "")) throw error;
      await client.query("rollback");
      if (current !== stuckAt) tries = 0;
      stuckAt = current;
      const pauseMs = doubled(FIRST_PAUSE_MS, tries, LONGEST_PAUSE_MS);
      const facts = { migration: current, again_in_ms: pauseMs, oldest_transaction: await oldestTransaction(client) };
      report(facts, "a migration did not get a lock in time, and has given way to its holders");
      tries++;
      await pause(pauseMs, stop);
    }
  }
}

/** Does work on a connection, and cancels its statement when the signal aborts. */
export async function cancelledBy<T>(stop: AbortSignal, client: pg.Client, work: () => Promise<T>): Promise<T> {
  let isDone = false;
  const cancel = () => void cancelUntil(client, () => isDone);
  stop.addEventListener("abort", cancel, { once: true });
  try {
    return await work();
  } catch (error) {
    stop.throwIfAborted();
    throw error;
  } finally {
    isDone = true;
    stop.removeEventListener("abort", cancel);
  }
}

/**
 * Makes autovacuum yield, which it does for a statement that has waited longer than this. Only a superuser, or a role
 * with the privilege, may set it; other roles wait until autovacuum has ended.
 */
async function noticeAutovacuum(client: pg.Client): Promise<void> {
  await client.query(
    "select set_config('deadlock_timeout', '50ms', false) where has_parameter_privilege('deadlock_timeout', 'set')",
  );
}

/** The transaction that an operator should look at: one that blocks us began before we asked for the lock. */
async function oldestTransaction(client: pg.Client): Promise<{ pid: number; program: string; seconds: number } | null> {
  const { rows } = await client.query<{ pid: number; program: string; seconds: number }>(
    `select pid, coalesce(nullif(application_name, ''), backend_type) as program, extract(epoch from now() - xact_start)::int as seconds
     from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
     order by xact_start limit 1`,
  );
  return rows[0] ?? null;
}

function doubled(first: number, times: number, most: number): number {
  return Math.min(first * 2 ** times, most);
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => signal.throwIfAborted());
}
