import { findCompaniesByName, shareCompanies } from "../../../customers/companies/company-bulk-queries.ts";
import { NAME_MAX, TAX_ID_MAX } from "../../../customers/companies/company.ts";
import { spellingsOf } from "../../../customers/companies/same-name-queries.ts";
import { taxSpellings } from "../../../customers/companies/tax-spelling-queries.ts";
import { externalArrays } from "../../../kit/external-ids/external-id-queries.ts";
import { draftOf, type Draft, type Writable } from "../../../platform/fields/draft.ts";
import {
  checkExternal,
  externalIdsOf,
  externalName,
  storedExternal,
  type ExternalId,
} from "../../../platform/fields/external-ids.ts";
import type { FieldErrors } from "../../../platform/fields/field-reasons.ts";
import type { Input } from "../../../platform/fields/fields.ts";
import { textOrNull } from "../../../platform/fields/validation.ts";
import type { Run } from "../../../platform/postgres/database.ts";
import { isWithin, shortened } from "../../../platform/text.ts";
import { COMPANY_EXTERNAL, COMPANY_ID, COMPANY_NAME, COMPANY_TAX_ID } from "../columns/company-columns.ts";
import { SAID } from "../reading/rows.ts";
import type { ImportReason } from "../reasons.ts";
import { findSpelled } from "./find-existing.ts";

/** The live companies that a batch's rows name, locked against deletion until the transaction ends. */
export type Companies = {
  /** Ids by tax id, as the file writes it. */
  byTaxId: ReadonlyMap<string, string>;
  /** Ids by name, as the file writes it: at most two of each. */
  byName: ReadonlyMap<string, readonly string[]>;
  /** The fiscal ids of several companies that one in the file may mean. */
  several: ReadonlyMap<string, readonly string[]>;
  /** Ids by external id (externalName). */
  byExternal: ReadonlyMap<string, string>;
  /** The ids. */
  live: ReadonlySet<string>;
};

export const noCompanies: Companies = {
  byTaxId: new Map(),
  byName: new Map(),
  several: new Map(),
  byExternal: new Map(),
  live: new Set(),
};

const parentColumns: Writable = {
  table: "companies",
  fields: [
    { name: COMPANY_ID, kind: "integer" },
    { name: COMPANY_TAX_ID, kind: "string", max: TAX_ID_MAX },
  ],
};

const namedColumns: Writable = {
  ...parentColumns,
  fields: [...parentColumns.fields, { name: COMPANY_NAME, kind: "string", max: NAME_MAX }],
};

/**
 * The company that a row names, validated without the database.
 * @param byName whether the row may have its name
 */
export function parentOf(input: Input, byName = false): Draft {
  const draft = draftOf(byName ? namedColumns : parentColumns, input, "create");
  const external = checkExternal(input, COMPANY_EXTERNAL, "create");
  if (external === null) return draft;
  const sent = storedExternal(external.sent, "create") ?? null;
  const values = { ...draft.values, [COMPANY_EXTERNAL]: sent };
  const messages = external.errors === null ? draft.messages : { ...draft.messages, ...external.errors };
  return { ...draft, values, messages };
}

/** @param isFile whether a fiscal id is found in any spelling, and a name with another legal form */
export async function findParents(run: Run, rows: readonly { parent: Draft }[], isFile = false): Promise<Companies> {
  const taxIds = new Set<string>();
  const ids = new Set<number>();
  const external = rows.flatMap(({ parent }) => externalOf(parent));
  for (const { parent } of rows) {
    const { [COMPANY_ID]: id, [COMPANY_TAX_ID]: taxId } = parent.values;
    if (typeof id === "number") ids.add(id);
    if (typeof taxId === "string") taxIds.add(taxId);
  }
  const byName = await findNamed(run, rows, isFile);
  for (const [name, named] of byName) {
    if (named.length === 1) ids.add(Number(named[0]));
    // A person may write the fiscal id where the name says nothing.
    else if (named.length === 0 && isWithin(name, TAX_ID_MAX)) taxIds.add(name);
  }
  const sent = [...taxIds];
  const [sources, externalIds] = externalArrays(external);
  const found = await shareCompanies(run, { taxIds: sent, ids: [...ids], sources, externalIds });
  const byTaxId = new Map<string, string>();
  const byExternal = new Map<string, string>();
  const live = new Set<string>();
  for (const { ordinal, id, external: ofCompany, formerIds } of found) {
    live.add(id);
    for (const each of externalIdsOf(ofCompany)) byExternal.set(externalName(each), id);
    for (const each of formerIds) byExternal.set(externalName({ source: each.source, externalId: each.id }), id);
    const taxId = ordinal === null ? undefined : sent[ordinal - 1];
    if (taxId !== undefined) byTaxId.set(taxId, id);
  }
  const several = await findOtherwise(run, sent, { byTaxId, live, isFile });
  return { byTaxId, byName, byExternal, several, live };
}

/**
 * Finds the companies whose fiscal ids are stored in other spellings, or were those of merged companies. Returns those
 * that several companies have.
 */
async function findOtherwise(
  run: Run,
  sent: readonly string[],
  { byTaxId, live, isFile }: { byTaxId: Map<string, string>; live: Set<string>; isFile: boolean },
): Promise<Map<string, string[]>> {
  const unknown = sent.filter((taxId) => !byTaxId.has(taxId));
  const several = new Map<string, string[]>();
  const spelled = await findSpelled(run, taxSpellings, unknown, isFile);
  const ids = new Map(
    [...spelled].flatMap(([text, [first, ...others]]) =>
      first !== undefined && others.length === 0 ? [[text, first.id] as const] : [],
    ),
  );
  const named = { taxIds: [], ids: [...ids.values()].map(Number), sources: [], externalIds: [] };
  for (const { id } of ids.size === 0 ? [] : await shareCompanies(run, named)) live.add(id);
  for (const [text, id] of ids) if (live.has(id)) byTaxId.set(text, id);
  for (const [text, found] of spelled)
    if (found.length > 1)
      several.set(
        text,
        found.map(({ identity }) => identity),
      );
  return several;
}

/** The companies of each name, for rows that name their company in no other way. */
async function findNamed(
  run: Run,
  rows: readonly { parent: Draft }[],
  isFile: boolean,
): Promise<Map<string, string[]>> {
  return await companiesCalled(
    run,
    rows.flatMap(({ parent }) => nameOf(parent) ?? []),
    isFile,
  );
}

/** The ids of the companies with these names, or (`isFile`) with the names but for their legal forms: some of each. */
export async function companiesCalled(
  run: Run,
  called: readonly string[],
  isFile: boolean,
): Promise<Map<string, string[]>> {
  const names = [...new Set(called)];
  const ids = new Map(names.map((name): [string, string[]] => [name, []]));
  const look = async (asked: readonly (readonly [name: string, spelling: string])[]) => {
    const spellings = asked.map(([, spelling]) => spelling);
    const found = spellings.length === 0 ? [] : await findCompaniesByName(run, spellings);
    for (const { ordinal, id } of found) {
      const of = ids.get(asked[ordinal - 1]?.[0] ?? "");
      if (of?.includes(id) === false) of.push(id);
    }
  };
  await look(names.map((name) => [name, name] as const));
  const unknown = isFile ? names.filter((name) => ids.get(name)?.length === 0) : [];
  await look(unknown.flatMap((name) => spellingsOf(name).map((spelling) => [name, spelling] as const)));
  return ids;
}

/** The name of a row's company; null if the row names it by an id. */
function nameOf({ values }: Draft): string | null {
  const { [COMPANY_ID]: id = null, [COMPANY_TAX_ID]: taxId = null, [COMPANY_NAME]: name = null } = values;
  return id === null && taxId === null && typeof name === "string" ? name : null;
}

function externalOf({ values }: Draft): ExternalId[] {
  return externalIdsOf(textOrNull(values[COMPANY_EXTERNAL]));
}

/** A company, or why there is none. `missing` is a name that no company has. */
type Named =
  | { id: string; errors: null }
  | { id: null; errors: FieldErrors; missing: string | null; row?: ImportReason | undefined };

/**
 * Finds the company that a row names by id, by tax id, by external ids, or by several, which must then agree.
 * Otherwise by its name, if it is the only company of that name.
 */
export function companyNamed(companies: Companies, draft: Draft): Named {
  const { byTaxId, byExternal, live } = companies;
  const { values, messages: found } = draft;
  const name = found === null ? nameOf(draft) : null;
  if (name !== null) return onlyOfName(companies, name);
  const messages: FieldErrors = { ...found };
  const external = externalOf(draft);
  const { [COMPANY_ID]: id = null, [COMPANY_TAX_ID]: taxId = null } = values;
  if (found === null && id === null && taxId === null && external.length === 0)
    messages[COMPANY_NAME in values ? COMPANY_NAME : COMPANY_ID] = [{ code: "required" }];
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
  const others = companies.several.get(String(taxId)) ?? [];
  if (others.length > 0) {
    const row: ImportReason = { code: "fiscalIdsAlike", value: shortened(String(taxId), SAID), others };
    return { id: null, errors: { ...messages, [COMPANY_TAX_ID]: [] }, missing: null, row };
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

function onlyOfName({ byName, byTaxId, live }: Companies, name: string): Named {
  const [first, second] = byName.get(name) ?? [];
  if (second !== undefined) {
    // Both cells can be corrected: either of them takes the fiscal id.
    const errors: FieldErrors = { [COMPANY_NAME]: [], [COMPANY_TAX_ID]: [] };
    return { id: null, errors, missing: null, row: { code: "companiesAlike", name: shortened(name, SAID) } };
  }
  const id = first ?? byTaxId.get(name);
  if (id !== undefined && live.has(id)) return { id, errors: null };
  return { id: null, errors: { [COMPANY_NAME]: [{ code: "notSelectable" }] }, missing: name };
}
