import { BoundedMap } from "../bounded-map.ts";

/** A dropped name begins again at 0. */
const MOST_NAMES = 10_000;

/**
 * Counts amounts by name. Each time a count reaches `enough`, the work runs in the background, once at a time for each
 * name.
 * @param work never fails
 */
export type Tally = (name: string, amount: number, enough: number, work: () => Promise<void>) => void;

export function createTally(): Tally {
  const tallies = new BoundedMap<{ amount: number; isAtWork: boolean }>(MOST_NAMES);
  return (name, amount, enough, work) => {
    const tally = tallies.getOrInsertComputed(name, () => ({ amount: 0, isAtWork: false }));
    tally.amount += amount;
    if (tally.amount < enough || tally.isAtWork) return;
    tally.amount = 0;
    tally.isAtWork = true;
    void work().finally(() => (tally.isAtWork = false));
  };
}
