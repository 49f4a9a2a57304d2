import type { Deps } from "../deps.ts";
import { now } from "../platform/clock.ts";
import type { Database } from "../platform/postgres/database.ts";
import { nobodyFor } from "../platform/sharing/caller.ts";
import { inPasswordTurn, type InTurn } from "../users/password-turns.ts";
import type { Counted } from "./subjects.ts";
import { countAttempt, forgetAttempts, forgiveAttempt } from "./throttle-queries.ts";

/** The outcomes of an attempt that did not succeed. `retryAfter` is in seconds. */
export type Refused = { outcome: "wrong" } | { outcome: "throttled"; retryAfter: number } | { outcome: "busy" };

/** Beyond these, whoever failed least and longest ago is forgotten: some 20 MB. */
const MOST_SUBJECTS = 100_000;
const FORGET_EVERY_MS = 10 * 60_000;

/** Nothing makes a wait shorter, so it need not be asked for again. */
type Guesses = Deps["sharing"]["guesses"];

/**
 * Makes an attempt of somebody who may be guessing. Whoever must wait is refused from memory, or by one statement; the
 * others take turns, so that guesses by the thousand are neither thousands of transactions nor of hashes.
 * @param attempt what it answers is the outcome; null: wrong
 */
export async function guarded<T>(
  { database: { unattended }, sharing }: Pick<Deps, "database" | "sharing">,
  turn: InTurn,
  counted: Counted,
  attempt: () => Promise<T | null>,
): Promise<T | Refused> {
  const { guesses } = sharing;
  // Guesses of a network are counted in a place of its own.
  const database = unattended.forCaller(nobodyFor(`${turn.door}/${turn.holder}`));
  const refusal = refusalOf(guesses, counted);
  if (refusal !== null) return refusal;
  const done = await inPasswordTurn({ sharing }, turn, async () => {
    // Others may have used it up while this attempt waited for its turn.
    const refusalNow = refusalOf(guesses, counted) ?? (await count(database, guesses, counted));
    if (refusalNow !== null) return refusalNow;
    const succeeded = await attempt();
    if (succeeded === null) return { outcome: "wrong" } as const;
    await forgiveAttempt(database, counted);
    return succeeded;
  });
  return done ?? { outcome: "busy" };
}

/** The wait for what is known of the subjects; null where none has to. */
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
  // A failure leaves it to the next time.
  forgetAttempts(database, time, MOST_SUBJECTS).catch(() => {});
}
