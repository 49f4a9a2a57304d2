/** Requests with a rate of their own, in phases; or as many at once. */
export type OpenLoad = { url: string; token: string; paths: string[]; phases: Phase[] };

type Phase = { seconds: number } & ({ perSecond: number; atOnce?: never } | { atOnce: number; perSecond?: never });

/** A request: when it was sent and how long it took, in milliseconds. `status`: 0 without an answer. */
export type Sent = { phase: number; at: number; ms: number; status: number };
