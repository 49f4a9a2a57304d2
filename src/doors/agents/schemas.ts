import type { Schema } from "../../kit/openapi/schema.ts";
import { INTEGER_MAX, type Field, type FieldTable } from "../../platform/fields/fields.ts";
import { groupsOf, ungroupedFields } from "../../platform/fields/grouped-fields.ts";
import { DECIMAL } from "../../platform/fields/validation.ts";

/** Schemas without references: assistants read them whole. */
export type Properties = Readonly<Record<string, Schema>>;

/** An object of arguments: another name than these is a mistake of the assistant. */
export function argumentsSchema(properties: Properties, required: readonly string[] = []): Schema {
  return { type: "object", properties, required, additionalProperties: false };
}

/** An object in a result. All members may be absent: null is left out. */
export function resultSchema(properties: Properties, required: readonly string[] = []): Schema {
  return { type: "object", properties: { ...properties, truncated: flag("A text was cut.") }, required };
}

/** The arguments for the fields of a noun. */
export function fieldArguments(fields: FieldTable): Properties {
  const groups = [...groupsOf(fields)].map(([group, own]) => [
    group,
    { type: "object", properties: fieldArguments(own.map(alone)) },
  ]);
  const own = ungroupedFields(fields).map((field) => [field.name, argumentOf(field)]);
  return Object.fromEntries([...own, ...groups]) as Properties;
}

/** The filter of a list by a field with fixed values. */
export function filterBy(name: string, fields: FieldTable): Schema {
  return { type: "string", enum: fields.find((field) => field.name === name)?.values ?? [] };
}

/** The members of a result for the fields of a noun. */
export function fieldResults(fields: FieldTable): Properties {
  const groups = [...groupsOf(fields)].map(([group, own]) => [group, resultSchema(fieldResults(own.map(alone)))]);
  const own = ungroupedFields(fields).map(({ name, kind }) => [name, { type: typesOf[kind] ?? "string" }]);
  return Object.fromEntries([...own, ...groups]) as Properties;
}

/** A field of a group as a member of an object. */
function alone({ within: _within, ...field }: Field): Field {
  return field;
}

const typesOf: Partial<Record<Field["kind"], string>> = {
  integer: "integer",
  user: "integer",
  boolean: "boolean",
  enums: "array",
  list: "array",
};

/** Null clears a field, except in an item, which is always sent whole. */
export function argumentOf(field: Field): Schema {
  const { description, required } = field;
  const { type, ...bounds } = valueOf(field);
  const said = description === undefined ? {} : { description };
  if (required || field.kind === "list" || field.kind === "enums") return { type, ...bounds, ...said };
  const values = Array.isArray(bounds.enum) ? { enum: [...bounds.enum, null] } : {};
  return { type: [type, "null"].flat(), ...bounds, ...values, ...said };
}

function valueOf({ kind, max, min, values, items = [] }: Field): Schema {
  const length = max === undefined ? {} : { maxLength: max };
  switch (kind) {
    case "integer":
      return { type: "integer", minimum: min ?? -INTEGER_MAX, maximum: max ?? INTEGER_MAX };
    case "user":
      return { type: "integer", minimum: 1 };
    case "boolean":
      return { type: "boolean" };
    case "date":
      return { type: "string", pattern: String.raw`^\d{4}-\d\d-\d\d$` };
    case "decimal":
      return { type: ["string", "number"], pattern: DECIMAL.source };
    case "enum":
      return { type: "string", enum: values };
    case "enums":
      return { type: "array", minItems: 1, maxItems: max, items: { type: "string", enum: values } };
    case "list":
      return {
        type: "array",
        maxItems: max,
        items: argumentsSchema(
          fieldArguments(items),
          items.flatMap((item) => (item.required ? item.name : [])),
        ),
      };
    default:
      return { type: "string", ...length };
  }
}

export const id: Schema = { type: "integer", minimum: 1, maximum: INTEGER_MAX };
export const text = (description: string, maxLength = 255): Schema => ({ type: "string", maxLength, description });
export const flag = (description: string): Schema => ({ type: "boolean", description });
export const list = (items: Schema, description?: string): Schema => ({
  type: "array",
  items,
  ...(description !== undefined && { description }),
});
export const limit: Schema = { type: "integer", minimum: 1, maximum: 50, default: 10 };
export const cursor: Schema = text("`more` of the result before.", 2_000);
export const external: Schema = {
  ...argumentsSchema({ source: text("For example `erp`.", 40), id: text("The id there.") }, ["source", "id"]),
  description: "The id that another system gave it.",
};
