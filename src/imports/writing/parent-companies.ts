import { sharedCompany, shareCompaniesStatement } from "../../companies/company-bulk-queries.ts";
import { TAX_ID_MAX } from "../../companies/company.ts";
import { externalArrays } from "../../external-ids/external-id-queries.ts";
import { draftOf, type Draft, type Writable } from "../../platform/fields/draft.ts";
import {
  checkExternal,
  externalIdsOf,
  externalName,
  storedExternal,
  type ExternalId,
} from "../../platform/fields/external-ids.ts";
import type { FieldErrors } from "../../platform/fields/field-reasons.ts";
import type { Input } from "../../platform/fields/fields.ts";
import { textOrNull } from "../../platform/fields/validation.ts";
import type { Run } from "../../platform/postgres/database.ts";
import { COMPANY_EXTERNAL, COMPANY_ID, COMPANY_TAX_ID } from "../reading/header.ts";

/** The live companies that a batch's rows name, locked against deletion until the transaction ends. */
export type Companies = {
  /** Ids by tax id, as the file writes it. */
  byTaxId: ReadonlyMap<string, string>;
  /** Ids by external id (externalName). */
  byExternal: ReadonlyMap<string, string>;
  /** The ids. */
  live: ReadonlySet<string>;
};

export const noCompanies: Companies = { byTaxId: new Map(), byExternal: new Map(), live: new Set() };

const parentColumns: Writable = {
  table: "companies",
  fields: [
    { name: COMPANY_ID, kind: "integer" },
    { name: COMPANY_TAX_ID, kind: "string", max: TAX_ID_MAX },
  ],
};

/** The company that a row names, validated without the database. */
export function parentOf(input: Input): Draft {
  const draft = draftOf(parentColumns, input, "create");
  const external = checkExternal(input, COMPANY_EXTERNAL, "create");
  if (external === null) return draft;
  const sent = storedExternal(external.sent, "create") ?? null;
  const values = { ...draft.values, [COMPANY_EXTERNAL]: sent };
  const messages = external.errors === null ? draft.messages : { ...draft.messages, ...external.errors };
  return { ...draft, values, messages };
}

export async function findParents(run: Run, rows: readonly { parent: Draft }[]): Promise<Companies> {
  const taxIds = new Set<string>();
  const ids = new Set<number>();
  const external = rows.flatMap(({ parent }) => externalOf(parent));
  for (const { parent } of rows) {
    const { [COMPANY_ID]: id, [COMPANY_TAX_ID]: taxId } = parent.values;
    if (typeof id === "number") ids.add(id);
    if (typeof taxId === "string") taxIds.add(taxId);
  }
  const sent = [...taxIds];
  const found = await run(shareCompaniesStatement, [sent, [...ids], ...externalArrays(external)]);
  const byTaxId = new Map<string, string>();
  const byExternal = new Map<string, string>();
  const live = new Set<string>();
  for (const row of found) {
    const { ordinal, id, external: ofCompany } = sharedCompany.read(row);
    live.add(id);
    for (const each of externalIdsOf(ofCompany)) byExternal.set(externalName(each), id);
    const taxId = ordinal === null ? undefined : sent[ordinal - 1];
    if (taxId !== undefined) byTaxId.set(taxId, id);
  }
  return { byTaxId, byExternal, live };
}

function externalOf({ values }: Draft): ExternalId[] {
  return externalIdsOf(textOrNull(values[COMPANY_EXTERNAL]));
}

/**
 * Finds the company that a row names by id, by tax id, by external ids, or by several, which must then agree. `missing`
 * is a name that no company has.
 */
export function companyNamed(
  { byTaxId, byExternal, live }: Companies,
  draft: Draft,
): { id: string; errors: null } | { id: null; errors: FieldErrors; missing: string | null } {
  const { values, messages: found } = draft;
  const messages: FieldErrors = { ...found };
  const external = externalOf(draft);
  const { [COMPANY_ID]: id = null, [COMPANY_TAX_ID]: taxId = null } = values;
  if (found === null && id === null && taxId === null && external.length === 0)
    messages[COMPANY_ID] = [{ code: "required" }];
  if (id !== null && !live.has(String(id))) messages[COMPANY_ID] = [{ code: "notSelectable" }];
  const byTax = taxId === null ? null : byTaxId.get(String(taxId));
  const [first] = external;
  const known = external.map((each) => byExternal.get(externalName(each))).find((each) => each !== undefined);
  const named = id !== null ? String(id) : taxId !== null ? byTax : known;
  if (byTax === undefined || (byTax !== null && messages[COMPANY_ID] === undefined && byTax !== named)) {
    messages[COMPANY_TAX_ID] = [{ code: "notSelectable" }];
  }
  for (const each of messages[COMPANY_ID] === undefined ? external : []) {
    if (named !== undefined && byExternal.get(externalName(each)) === named) continue;
    messages[`${COMPANY_EXTERNAL}.${each.source}`] = [{ code: "notSelectable" }];
  }
  const missing = () => {
    if (id !== null) return live.has(String(id)) ? null : String(id);
    if (taxId !== null) return byTax === undefined ? String(taxId) : null;
    return first !== undefined && known === undefined ? externalName(first) : null;
  };
  if (Object.keys(messages).length > 0 || named == null) {
    return { id: null, errors: messages, missing: missing() };
  }
  return { id: named, errors: null };
}
