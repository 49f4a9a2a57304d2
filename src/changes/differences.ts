/** A field that a change changed; of one that is stored encrypted only that it did. */
export type Difference = { field: string; from: unknown; to: unknown; isSecret: boolean };

/** @param changed of a change, as it is stored (migrations/0002); null where a list left it out because it is long */
export function differencesIn(changed: string | null): Difference[] {
  const fields = JSON.parse(changed ?? "{}") as Record<string, { from?: unknown; to?: unknown; changed?: true }>;
  return Object.entries(fields).map(([field, { from = null, to = null, changed: isSecret = false }]) => ({
    field,
    from,
    to,
    isSecret,
  }));
}
