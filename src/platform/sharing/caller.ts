import type { Holder } from "./holder.ts";

/** The client behind some work, which may hang up before its answer is ready. */
export type Caller = {
  readonly hasHungUp: boolean;
  /** The holder whose share is used if no tenant is known, for example a network. */
  readonly holder: Holder;
  /** Registers a callback for when the caller hangs up; returns a function that removes it. */
  whenHungUp(callback: () => void): () => void;
  /** Waits until there is memory for a large answer. Undefined if there is no wait. */
  makeRoom?: (charactersRead: () => number) => Promise<void> | undefined;
  /** Called once for each query that is sent for this caller, and once when it has an answer or has failed. */
  queryBegins?: () => void;
  queryEnds?: () => void;
};

/** The caller of a holder's work that continues even if the client hangs up. */
export function backgroundCaller(holder: Holder): Caller {
  return { hasHungUp: false, holder, whenHungUp: () => () => {} };
}

/** The same for the program's own work. */
export const NOBODY = backgroundCaller("program");
