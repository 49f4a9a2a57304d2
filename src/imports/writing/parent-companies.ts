import { sharedCompany, shareCompaniesStatement } from "../../companies/company-bulk-queries.ts";
import { TAX_ID_MAX } from "../../companies/company.ts";
import { draftOf, type Draft, type Writable } from "../../platform/fields/draft.ts";
import type { FieldErrors } from "../../platform/fields/field-reasons.ts";
import type { Input } from "../../platform/fields/fields.ts";
import type { Run } from "../../platform/postgres/database.ts";
import { COMPANY_ID, COMPANY_TAX_ID } from "../reading/header.ts";

/** The live companies that a batch's rows name, locked against deletion until the transaction ends. */
export type Companies = {
  /** Ids by tax id, as the file writes it. */
  byTaxId: ReadonlyMap<string, string>;
  /** The ids. */
  live: ReadonlySet<string>;
};

export const noCompanies: Companies = { byTaxId: new Map(), live: new Set() };

const parentColumns: Writable = {
  table: "companies",
  fields: [
    { name: COMPANY_ID, kind: "integer" },
    { name: COMPANY_TAX_ID, kind: "string", max: TAX_ID_MAX },
  ],
};

/** The company that a row names, validated without the database. */
export function parentOf(input: Input): Draft {
  return draftOf(parentColumns, input, "create");
}

export async function findParents(run: Run, rows: readonly { parent: Draft }[]): Promise<Companies> {
  const taxIds = new Set<string>();
  const ids = new Set<number>();
  for (const { parent } of rows) {
    const { [COMPANY_ID]: id, [COMPANY_TAX_ID]: taxId } = parent.values;
    if (typeof id === "number") ids.add(id);
    if (typeof taxId === "string") taxIds.add(taxId);
  }
  const sent = [...taxIds];
  const found = await run(shareCompaniesStatement, [sent, [...ids]]);
  const byTaxId = new Map<string, string>();
  const live = new Set<string>();
  for (const row of found) {
    const { ordinal, id } = sharedCompany.read(row);
    live.add(id);
    const taxId = ordinal === null ? undefined : sent[ordinal - 1];
    if (taxId !== undefined) byTaxId.set(taxId, id);
  }
  return { byTaxId, live };
}

/**
 * Finds the company that a row names by id, by tax id, or by both, which must then agree. `missing` is a name that no
 * company has.
 */
export function companyNamed(
  { byTaxId, live }: Companies,
  { values, messages: found }: Draft,
): { id: string; errors: null } | { id: null; errors: FieldErrors; missing: string | null } {
  const messages: FieldErrors = { ...found };
  const { [COMPANY_ID]: id = null, [COMPANY_TAX_ID]: taxId = null } = values;
  if (found === null && id === null && taxId === null) messages[COMPANY_ID] = [{ code: "required" }];
  if (id !== null && !live.has(String(id))) messages[COMPANY_ID] = [{ code: "notSelectable" }];
  const byTax = taxId === null ? null : byTaxId.get(String(taxId));
  const named = id === null ? byTax : String(id);
  if (byTax === undefined || (byTax !== null && messages[COMPANY_ID] === undefined && byTax !== named)) {
    messages[COMPANY_TAX_ID] = [{ code: "notSelectable" }];
  }
  if (Object.keys(messages).length > 0 || named == null) {
    const missing = id !== null && !live.has(String(id)) ? id : id === null && byTax === undefined ? taxId : null;
    return { id: null, errors: messages, missing: missing === null ? null : String(missing) };
  }
  return { id: named, errors: null };
}
