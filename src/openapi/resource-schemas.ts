import { INTEGER_MAX, TENANT_COUNTRY, TEXT_MAX, type Field, type FieldTable } from "../platform/fields/fields.ts";
import { DECIMAL } from "../platform/fields/validation.ts";
import type { Resource } from "./resource.ts";
import { nullable, objectSchema, type Schema } from "./schema.ts";

/** A resource as POST and PUT answer it; as lists do too, unless they leave something out. */
export function resourceSchema(resource: Resource): Schema {
  const { members, notInLists, singular } = resource;
  const where = notInLists === undefined ? "lists, POST and PUT answer" : "POST and PUT answer";
  return answerSchema(resource, members, `The ${singular} as ${where} it.`);
}

/** The members that lists show. */
export function listedMembers({ members, notInLists = [] }: Resource): string[] {
  return members.filter((name) => !notInLists.includes(name));
}

/** One that lists leave something out of. */
export function listedSchema(resource: Resource): Schema {
  return answerSchema(resource, listedMembers(resource), `The ${resource.singular} as lists answer it.`);
}

/** A single one, as GET answers it. */
export function detailsSchema(resource: Resource): Schema {
  const { members, membersOfOne, singular } = resource;
  return answerSchema(resource, [...members, ...membersOfOne], `A single ${singular}, as GET answers it.`);
}

export function bodySchema({ fields, singular }: Resource, use: Exclude<Use, "answer">): Schema {
  const required = use === "create" ? fields.filter(({ required }) => required).map(({ name }) => name) : [];
  const properties = Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field, use)]));
  const description =
    use === "create"
      ? `The fields of a new ${singular}. Null and \`""\` mean: not given. Unknown and read-only fields are ignored.`
      : `The fields to change. Absent fields stay as they are; null or \`""\` clears a field that may be null. ` +
        "Unknown and read-only fields are ignored.";
  return { description, ...objectSchema(properties, required) };
}

function answerSchema({ fields, readOnly, model }: Resource, members: readonly string[], description: string): Schema {
  const properties = members.map((name) => {
    const field = fields.find((field) => field.name === name);
    const schema = field === undefined ? readOnly[name]?.schema : fieldSchema(field, "answer");
    if (schema === undefined) throw new Error(`the reference of ${model} has no words for its member ${name}`);
    return [name, schema];
  });
  return { description, ...objectSchema(Object.fromEntries(properties) as Record<string, Schema>) };
}

/** create and update: in a request's body. answer: in what the API sends. */
type Use = "create" | "update" | "answer";

/**
 * The schema of a field; whether it may be null follows from its default and from `required` (docs/contract.md 4.4).
 */
function fieldSchema(field: Field, use: Use): Schema {
  const value = withWords(field, use, valueSchema(field, use));
  const isNeverNull = field.default !== undefined || field.kind === "list";
  const isNullable = !field.required && (!isNeverNull || use === "create");
  return isNullable ? nullable(value) : value;
}

function valueSchema(field: Field, use: Use): Schema {
  const length = field.max === undefined ? {} : { maxLength: field.max };
  switch (field.kind) {
    case "email":
      // Not "email": domains may be in Unicode, and need no dot.
      return { type: "string", format: "idn-email", ...length };
    case "integer":
      return {
        type: "integer",
        format: "int64",
        minimum: field.min ?? -INTEGER_MAX,
        maximum: field.max ?? INTEGER_MAX,
      };
    case "user":
      return { type: "integer", format: "int64", minimum: 1, maximum: INTEGER_MAX };
    case "boolean":
      return { type: "boolean" };
    case "date":
      return { type: "string", format: "date" };
    case "decimal":
      return { type: "string", pattern: DECIMAL.source };
    case "enum":
      return { type: "string", enum: field.values };
    case "list":
      return { type: "array", maxItems: field.max, items: itemSchema(field.items ?? [], use) };
    default:
      return { type: "string", ...(field.required && use !== "answer" ? { minLength: 1 } : {}), ...length };
  }
}

/** An item is sent whole, in an update too. */
function itemSchema(items: FieldTable, use: Use): Schema {
  const required = items.filter((item) => use === "answer" || item.required).map(({ name }) => name);
  const inItem = use === "answer" ? use : "create";
  return objectSchema(Object.fromEntries(items.map((item) => [item.name, fieldSchema(item, inItem)])), required);
}

function withWords(field: Field, use: Use, schema: Schema): Schema {
  const description = [
    field.description,
    field.kind === "date" && use !== "answer" ? "A date-time is accepted too; its date part is taken as written." : "",
    field.kind === "decimal" && use !== "answer" ? "A JSON number is accepted too." : "",
    field.max === TEXT_MAX ? "Free text." : "",
  ]
    .filter(Boolean)
    .join(" ");
  const hasDefault = use === "create" && field.default !== undefined && field.default !== TENANT_COUNTRY;
  return {
    ...schema,
    ...(description === "" ? {} : { description }),
    ...(hasDefault ? { default: field.default } : {}),
    ...(field.example === undefined ? {} : { examples: [field.example] }),
  };
}
