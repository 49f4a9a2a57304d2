import type { FieldErrors } from "./field-reasons.ts";
import type { Field, FieldTable, Input } from "./fields.ts";
import { isObject } from "./validation.ts";

/**
 * Some fields are inside a member of the API's JSON, such as `terms.payment_days`. Everywhere else (columns, forms,
 * files) they are fields like others.
 */
type GroupedField = Field & { within: string };

/** The fields that are members themselves. */
export function ungroupedFields(fields: FieldTable): FieldTable {
  return fields.filter(({ within }) => within === undefined);
}

/** The groups with their fields. */
export function groupsOf(fields: FieldTable): ReadonlyMap<string, readonly Field[]> {
  return Map.groupBy(fields.filter(isGrouped), ({ within }) => within);
}

/** An input of the API with the fields of its groups; the same names beside the groups are ignored. */
export function withoutGroups(fields: FieldTable, input: Input): Input {
  const grouped = fields.filter(isGrouped);
  // A copy of all members would be longer than a turn for a body of very many.
  if (!grouped.some(({ name, within }) => Object.hasOwn(input, name) || Object.hasOwn(input, within))) return input;
  const flat: Record<string, unknown> = { ...input };
  for (const { name, within } of grouped) {
    delete flat[name];
    const group = Object.hasOwn(input, within) ? (input[within] ?? null) : null;
    if (group === null) continue;
    // No field accepts an object, so a group that is none is an error of each field.
    if (!isObject(group)) flat[name] = {};
    else if (Object.hasOwn(group, name)) flat[name] = group[name];
  }
  return flat;
}

/** The errors of an input of the API, with the places of its fields. */
export function groupedErrors(fields: FieldTable, errors: FieldErrors): FieldErrors {
  const places = new Map(fields.filter(isGrouped).map(({ name, within }) => [name, `${within}.${name}`]));
  return Object.fromEntries(Object.entries(errors).map(([name, reasons]) => [places.get(name) ?? name, reasons]));
}

function isGrouped(field: Field): field is GroupedField {
  return field.within !== undefined;
}
