import { createHash } from "node:crypto";

/**
 * Each fault with what it does. Those that keep a call from being executed come first, in the order of their chances.
 */
export const FAULTS = {
  down: "answers 503, executes nothing",
  hang: "never answers, executes nothing",
  "cut-before": "cuts the connection, executes nothing",
  "500-before": "answers 500, 502, 503 or 504, executes nothing",
  "429": "throttles, with either form of Retry-After",
  "403": "throttles by 403 with Retry-After",
  "422": "refuses an order",
  redirect: "answers 307 to where it was asked",
  late: "executes after a while, and answers then",
  "cut-after": "executes, and cuts the connection",
  "500-after": "executes, and answers 500, 502, 503 or 504",
  slow: "executes, and answers after a while",
  "wrong-pair": "executes, and answers with another pair",
  "invalid-id": "executes, and answers without a valid order_id",
  "broken-json": "executes, and answers with broken JSON",
  oversized: "executes, and answers with more than 1 MiB",
  "cut-half": "executes, and cuts the connection within the answer",
  drip: "executes, and answers byte by byte",
  lag: "does not find the orders of the last seconds",
  stale: "shows orders as they were before their last change",
  vanish: "loses an order when it is asked for by its id",
  duplicates: "creates another order for a pair that it has",
  conflict: "answers 409, and not 200, for a pair that it has",
  "too-late": "does not cancel an order any more: 409",
  "no-cancel": "has no call that cancels: 404, 405 or 501",
  "no-bulk": "does not know order_ids: 400, 404 or 405",
} as const;

export type Fault = keyof typeof FAULTS;

/** The chance of each fault, from 0 to 1. */
export type Faults = Partial<Record<Fault, number>>;

/** The dice of one request: whether a fault strikes it, and a number from 0 to 1 for what it looks like. */
export type Dice = { strikes(...faults: Fault[]): Fault | null; number(of: string): number };

/** Reads `slow=0.05,429=0.1`. Throws with a message for the person who typed it. */
export function parseFaults(text: string): Faults {
  const entries = text.split(",").filter((entry) => entry.trim() !== "");
  return checkFaults(
    Object.fromEntries(
      entries.map((entry) => {
        const [name = "", chance = "1"] = entry.split("=");
        return [name.trim(), Number(chance)];
      }),
    ),
  );
}

export function checkFaults(faults: Record<string, unknown>): Faults {
  for (const [name, chance] of Object.entries(faults)) {
    if (!Object.hasOwn(FAULTS, name)) {
      throw new Error(`There is no fault "${name}". There are: ${Object.keys(FAULTS).join(", ")}.`);
    }
    if (typeof chance !== "number" || !(chance >= 0 && chance <= 1))
      throw new Error(`${name} needs a chance from 0 to 1.`);
  }
  return faults;
}

/**
 * Dice that fall by the seed, the request and how often it came, so that a run repeats itself however its requests
 * interleave. `onStrike` hears what struck.
 */
export function createDice(seed: string, onStrike: (fault: Fault) => void): (faults: Faults, request: string) => Dice {
  const times = new Map<string, number>();
  return (faults, request) => {
    const time = (times.get(request) ?? 0) + 1;
    times.set(request, time);
    const number = (of: string) => {
      const hash = createHash("sha256")
        .update(JSON.stringify([seed, request, time, of]))
        .digest();
      return hash.readUInt32BE(0) / 2 ** 32;
    };
    return {
      number,
      strikes(...candidates) {
        const struck =
          candidates.find((fault) => (faults[fault] ?? 0) > 0 && number(fault) < (faults[fault] ?? 0)) ?? null;
        if (struck !== null) onStrike(struck);
        return struck;
      },
    };
  };
}
