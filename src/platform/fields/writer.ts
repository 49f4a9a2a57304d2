/** The author of a write, as far as rows depend on it. An Actor (src/actor.ts) is one. */
export type Writer = Readonly<{
  /** The country of a company or an address that a create leaves out. */
  country: string;
  /** `id` is null for the kinds that have none. */
  by: Readonly<{ kind: string; id: string | null }>;
}>;

/** As the column `changed_by` has it, from which the database makes the history (migrations/0002): `key:12`, `import`. */
export function changedBy({ by: { kind, id } }: Writer): string {
  return id === null ? kind : `${kind}:${id}`;
}
