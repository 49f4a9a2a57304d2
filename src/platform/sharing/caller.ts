/** Somebody who asked for something, and may hang up before it is there. */
export type Caller = {
  readonly hasHungUp: boolean;
  /** Calls back when the caller hangs up; returns how to be told no longer. */
  whenHungUp(told: () => void): () => void;
};

/** The caller of work that goes on whoever hangs up. */
export const NOBODY: Caller = { hasHungUp: false, whenHungUp: () => () => {} };
