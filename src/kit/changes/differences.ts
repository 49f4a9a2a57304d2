/** A changed field. For an encrypted field the history has no values. */
export type Difference = { field: string; from: unknown; to: unknown; isSecret: boolean };

/** @param changed of a change, as stored (migrations/0002); null if a list left it out because of its length */
export function differencesIn(changed: string | null): Difference[] {
  const fields = JSON.parse(changed ?? "{}") as Record<string, { from?: unknown; to?: unknown; changed?: true }>;
  return Object.entries(fields).map(([field, { from = null, to = null, changed: isSecret = false }]) => ({
    field,
    from,
    to,
    isSecret,
  }));
}
