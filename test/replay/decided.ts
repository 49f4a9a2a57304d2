/** Differences that a decision made, each with its reason. Empty after a release. */
export const decided: readonly { why: string; fits(kind: string, request: string): boolean }[] = [];
