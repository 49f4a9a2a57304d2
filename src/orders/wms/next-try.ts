import type { Outcome } from "../../kit/jobs/job.ts";

/** The tries after which a job gives its order up. */
export const MOST_TRIES = 20;
export const LONGEST_PAUSE_MS = 15 * 60_000;

/** The next try if this installation can reach no warehouse. */
export const withoutWarehouse: Outcome = { outcome: "again", afterMs: LONGEST_PAUSE_MS, counts: false };

/** The limit of the random pause after this number of tries; it doubles with each. */
export function longestPauseMs(retryMs: number, tries: number): number {
  return Math.min(retryMs * 2 ** Math.min(tries - 1, 30), LONGEST_PAUSE_MS);
}

/**
 * The next try, after a random pause, so that orders do not retry at the same moment. A pause that the warehouse
 * requests (`waitMs`) does not count as a try.
 * @param random from 0 to 1
 */
export function nextTry(
  { tries, retryMs, random }: { tries: number; retryMs: number; random: number },
  waitMs: number | null,
): Outcome & { outcome: "again" } {
  // A pause of zero would repeat the call without end.
  const afterMs = waitMs === null ? random * longestPauseMs(retryMs, tries) : Math.max(waitMs, retryMs);
  return { outcome: "again", afterMs, counts: waitMs === null };
}
