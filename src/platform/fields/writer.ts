/** The author of a write, with the data that rows need. An Actor (src/kit/actor.ts) is one. */
export type Writer = Readonly<{
  /** The country of a company or an address that a create leaves out. */
  country: string;
  /** `id` is null for the kinds that have none. */
  by: Readonly<{ kind: string; id: string | null; via?: string; confirmedBy?: string }>;
}>;

/**
 * The author as text in the column `changed_by`, from which the database writes the history (migrations/0002):
 * `key:12`, `import`; `mcp:12` for an assistant with the key 12, `mcp:12:3` if the user 3 confirmed its write.
 */
export function changedBy({ by: { kind, id, via = kind, confirmedBy } }: Writer): string {
  return id === null ? kind : [via, id, confirmedBy ?? []].flat().join(":");
}
