import { mergedCustom, METADATA } from "../../platform/fields/custom.ts";
import { EXTERNAL_MAX, externalIdsOf } from "../../platform/fields/external-ids.ts";
import type { FieldErrors } from "../../platform/fields/field-reasons.ts";
import { TEXT_MAX, type FieldTable } from "../../platform/fields/fields.ts";
import { isObject } from "../../platform/fields/validation.ts";
import { isWithin } from "../../platform/text.ts";
import { valueColumns, type FormerId, type MergeableTable, type Whole } from "./merge-queries.ts";

/** A field gets the value of the kept one, or of the other. */
export type ValueChoice = "keep" | "from";
export type ValueChoices = Readonly<Record<string, ValueChoice>>;

/** The most external ids of one source by which a company is found. */
const MOST_OF_SOURCE = 10;

/** The member `fields` of a merge. */
export function choicesIn(fields: FieldTable, sent: unknown): { choices: ValueChoices; errors: FieldErrors } {
  const fieldNames: ReadonlySet<string> = new Set(fields.map(({ name }) => name));
  if (sent === undefined || sent === null) return { choices: {}, errors: {} };
  if (!isObject(sent)) return { choices: {}, errors: { fields: [{ code: "notObject" }] } };
  const wrong = Object.entries(sent).filter(([name, choice]) => {
    return !fieldNames.has(name) || (choice !== "keep" && choice !== "from");
  });
  const errors: FieldErrors = {};
  for (const [name] of wrong) errors[fieldNames.has(name) ? `fields.${name}` : "fields"] = [{ code: "notSelectable" }];
  return { choices: sent as ValueChoices, errors };
}

/**
 * The values of the kept one after a merge: chosen ones, else its own, else the other's. Notes are joined.
 * @param left the keys of custom fields that are deleted
 */
export function mergedValues(
  fields: FieldTable,
  [kept, from]: readonly [kept: Whole, from: Whole],
  choices: ValueChoices,
  left: readonly string[],
): Whole["values"] {
  const values: Whole["values"] = {};
  for (const name of valueColumns(fields)) {
    const [own, other] = [kept.values[name] ?? null, from.values[name] ?? null];
    values[name] = choices[name] === "from" ? other : choices[name] === "keep" ? own : (own ?? other);
  }
  if (choices.notes === undefined) values.notes = joined(kept.values.notes ?? null, from.values.notes ?? null);
  const [own, other] = [kept, from].map((one) => one.values[METADATA] ?? null);
  values[METADATA] = mergedCustom(own ?? null, other ?? null, choices, new Set(left));
  values.last_contacted_at = later(kept.values.last_contacted_at ?? null, from.values.last_contacted_at ?? null);
  return values;
}

function joined(own: string | null, other: string | null): string | null {
  return own === null || other === null || own === other ? (own ?? other) : `${own}\n\n${other}`;
}

/** Of two moments as PostgreSQL writes them in one time zone. */
function later(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return Date.parse(one) >= Date.parse(other) ? one : other;
}

/** The errors of the chosen values: a required field without a value, and notes that are too long together. */
export function wrongValues(fields: FieldTable, values: Whole["values"]): FieldErrors {
  const empty = fields.filter(({ name, required, default: usual }) => {
    return (required === true || usual !== undefined) && values[name] == null;
  });
  const errors: FieldErrors = Object.fromEntries(empty.map(({ name }) => [`fields.${name}`, [{ code: "required" }]]));
  if (values.notes != null && !isWithin(values.notes, TEXT_MAX)) {
    errors["fields.notes"] = [{ code: "tooLong", bound: TEXT_MAX }];
  }
  return errors;
}

type Ids = { external: string | null; formerIds: FormerId[] };

/**
 * The ids by which the kept one is found after a merge. It shows one external id of each source, at most
 * EXTERNAL_MAX, and one fiscal id. The others are former ids.
 * @param numberOf a fiscal id without what is written around its digits
 */
export function mergedIds(
  type: MergeableTable["type"],
  kept: Whole,
  from: Whole,
  taxId: string | null,
  numberOf: (taxId: string) => string,
): Ids {
  const shown = new Map(externalIdsOf(kept.external).map(({ source, externalId }) => [source, externalId]));
  const formerIds = [...kept.formerIds];
  const follow = (id: FormerId) => {
    const hasRoom = formerIds.filter((each) => each.source === id.source).length + 1 < MOST_OF_SOURCE;
    if (hasRoom || id.type === "former_tax_id") formerIds.push(id);
  };
  for (const { source, externalId } of externalIdsOf(from.external)) {
    if (!shown.has(source) && shown.size < EXTERNAL_MAX) shown.set(source, externalId);
    else follow({ type, source, id: externalId, text: externalId });
  }
  for (const id of from.formerIds) follow(id);
  for (const text of [kept.values.tax_id, from.values.tax_id]) {
    const isShown = text == null || text.toLowerCase() === taxId?.toLowerCase();
    if (!isShown) formerIds.push({ type: "former_tax_id", source: "", id: numberOf(text), text });
  }
  return {
    external: shown.size === 0 ? null : JSON.stringify(Object.fromEntries(shown)),
    formerIds: formerIds.filter((one, place) => formerIds.findIndex((other) => isSameId(one, other)) === place),
  };
}

export function isSameId(one: FormerId, other: FormerId): boolean {
  return one.type === other.type && one.source === other.source && one.id === other.id;
}
