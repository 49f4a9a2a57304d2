import type { Bulk } from "../../../kit/bulk-queries.ts";
import type { Draft } from "../../../platform/fields/draft.ts";
import type { FieldErrors } from "../../../platform/fields/field-reasons.ts";
import type { Value } from "../../../platform/fields/validation.ts";
import type { Run } from "../../../platform/postgres/database.ts";
import type { Existing } from "./find-existing.ts";

/** The company of each row that a batch refers to, such as the delivery address of an invoice. */
export type Referred = ReadonlyMap<string, string>;

export async function findReferred(
  run: Run,
  { refersTo }: Bulk,
  drafts: readonly { draft: Draft }[],
): Promise<Referred> {
  if (refersTo === undefined) return new Map();
  const ids = new Set(drafts.flatMap(({ draft }) => draft.values[refersTo.field] ?? []));
  return ids.size === 0 ? new Map() : await refersTo.companies(run, [...ids].map(String));
}

/** The error of a row that refers to a row of another company; one that it refers to already may stay. */
export function wrongReference(
  { refersTo }: Bulk,
  stored: Readonly<Record<string, Value>>,
  existing: Existing | undefined,
  referred: Referred,
): FieldErrors | null {
  const id = refersTo === undefined ? null : (stored[refersTo.field] ?? null);
  if (refersTo === undefined || id === null || existing?.found[refersTo.field] === String(id)) return null;
  const company = stored.company_id ?? existing?.found.company_id;
  return referred.get(String(id)) === String(company) ? null : { [refersTo.field]: [{ code: "notSelectable" }] };
}
