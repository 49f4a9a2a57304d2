import type { Holder } from "./holder.ts";

/** Somebody who asked for something, and may hang up before it is there. */
export type Caller = {
  readonly hasHungUp: boolean;
  /** The holder whose part of what is shared is taken where no tenant is known: a network, say. */
  readonly holder: Holder;
  /** Calls back when the caller hangs up; returns how to be told no longer. */
  whenHungUp(told: () => void): () => void;
  /** Waits, where they are many, until there is memory for what is made of the characters that were read. */
  makeRoom?: (charactersRead: () => number) => Promise<void> | undefined;
  /** Hears that the database is asked something for it, and that there is an answer or none: once for each. */
  asks?: () => void;
  isAnswered?: () => void;
};

/** The caller of work that goes on whoever hangs up, for a holder. */
export function nobodyFor(holder: Holder): Caller {
  return { hasHungUp: false, holder, whenHungUp: () => () => {} };
}

/** The same for the program's own sake. */
export const NOBODY = nobodyFor("program");
