import type { Deps } from "../../kit/deps.ts";
import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { backgroundCaller } from "../../platform/sharing/caller.ts";
import { inPasswordTurn, type InTurn } from "../users/password-turns.ts";
import type { Counted } from "./subjects.ts";
import { countAttempt, forgetAttempts, forgiveAttempt } from "./throttle-queries.ts";

/** The outcomes of a failed attempt. `retryAfter` is in seconds. */
export type Refused = { outcome: "wrong" } | { outcome: "throttled"; retryAfter: number } | { outcome: "busy" };

/** Stored subjects (some 20 MB). Beyond this number, those with the fewest and oldest failures are deleted. */
const MOST_SUBJECTS = 100_000;
const FORGET_EVERY_MS = 10 * 60_000;

/** A wait never becomes shorter, so it can be cached in memory. */
type Guesses = Deps["sharing"]["guesses"];

/**
 * Makes an attempt that may be a guess. An attempt that must wait is rejected from memory, or by one statement. The
 * others run in turn, so that thousands of guesses do not cause thousands of transactions and hashes.
 * @param attempt returns the outcome; null if the guess is wrong. An attempt that throws counts as a wrong one
 * @param isForgiven whether an error of the attempt does not count
 */
export async function guarded<T>(
  { database: { unattended }, sharing }: Pick<Deps, "database" | "sharing">,
  turn: InTurn,
  counted: Counted,
  attempt: () => Promise<T | null>,
  isForgiven: (error: unknown) => boolean = () => false,
): Promise<T | Refused> {
  const { guesses } = sharing;
  // Guesses are counted on database slots of their own network.
  const database = unattended.forCaller(backgroundCaller(`${turn.door}/${turn.holder}`));
  const refusal = refusalOf(guesses, counted);
  if (refusal !== null) return refusal;
  const done = await inPasswordTurn({ sharing }, turn, async () => {
    // Concurrent attempts may have used up the limit while this one waited for its turn.
    const refusalNow = refusalOf(guesses, counted) ?? (await count(database, guesses, counted));
    if (refusalNow !== null) return refusalNow;
    try {
      const succeeded = await attempt();
      if (succeeded === null) return { outcome: "wrong" } as const;
      await forgiveAttempt(database, counted);
      return succeeded;
    } catch (error) {
      if (isForgiven(error)) await forgiveAttempt(database, counted);
      throw error;
    }
  });
  return done ?? { outcome: "busy" };
}

/** Counts an attempt that is never right or wrong, such as a request for a mail. Null permits it. */
export async function countedOnly(
  { database: { unattended }, sharing: { guesses } }: Pick<Deps, "database" | "sharing">,
  turn: InTurn,
  counted: Counted,
): Promise<Refused | null> {
  const database = unattended.forCaller(backgroundCaller(`${turn.door}/${turn.holder}`));
  return refusalOf(guesses, counted) ?? (await count(database, guesses, counted));
}

/** The longest cached wait of the subjects; null if there is none. */
function refusalOf({ waits }: Guesses, { cleared, lowered }: Counted): Refused | null {
  const untils = [...cleared, ...lowered].map(({ hash }) => waits.get(hash.toString("hex")) ?? 0);
  return Math.max(...untils) > now() ? throttled(untils) : null;
}

async function count(database: Database, guesses: Guesses, { cleared, lowered }: Counted): Promise<Refused | null> {
  const time = now();
  forgetNowAndThen(database, guesses, time);
  const waiting = await countAttempt(database, [...cleared, ...lowered], time);
  for (const [subject, until] of waiting) guesses.waits.set(subject, until);
  return waiting.size === 0 ? null : throttled([...waiting.values()]);
}

function throttled(untils: number[]): Refused {
  return { outcome: "throttled", retryAfter: Math.max(1, Math.ceil((Math.max(...untils) - now()) / 1000)) };
}

function forgetNowAndThen(database: Database, guesses: Guesses, time: number): void {
  if (time - guesses.forgottenAt < FORGET_EVERY_MS) return;
  guesses.forgottenAt = time;
  // A failed deletion is repeated after the next interval.
  forgetAttempts(database, time, MOST_SUBJECTS).catch(() => {});
}
