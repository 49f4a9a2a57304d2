import { bodySchema } from "../../kit/openapi/resource-schemas.ts";
import type { Resource } from "../../kit/openapi/resource.ts";
import { definitionOf, type Schema } from "../../kit/openapi/schema.ts";
import type { FieldRow } from "./blocks.ts";

/**
 * The fields of a resource, from its field table, with the ids of other systems; then its read-only members, and the
 * members that only `include` adds.
 */
export function resourceRows(resource: Resource): FieldRow[] {
  const { fields, members, membersOfOne, readOnly, embedded = [] } = resource;
  const { properties } = definitionOf(bodySchema(resource, "create")) as { properties: Record<string, Schema> };
  const isRequired = (name: string) => fields.some((field) => field.name === name && field.required === true);
  const writable = Object.entries(properties).flatMap(([name, schema]) =>
    rowsOf({ name, prefix: "field", isAnswer: false }, schema, isRequired(name) ? ["required"] : []),
  );
  const others = [...members, ...membersOfOne].flatMap((name) => {
    const { schema } = readOnly[name] ?? {};
    return schema === undefined ? [] : rowsOf({ name, prefix: "field", isAnswer: true }, schema, ["read-only"]);
  });
  const included = embedded.flatMap(({ word, schema }) => (schema === undefined ? [] : includedRow(word, schema)));
  return [...writable, ...others, ...included];
}

/** Its members are those of another noun, whose page has them. */
function includedRow(word: string, schema: Schema): FieldRow {
  const { description } = definitionOf(schema);
  return {
    id: `field-${word}`,
    name: word,
    type: "object",
    marks: ["read-only"],
    description: `${String(description)} In \`data\` are [${word}](/docs/api/${word}); \`more\` says whether there are others.`,
  };
}

/** The members of a request's body, and of the objects in it. @param prefix of the anchors */
export function bodyRows(schema: Schema, prefix: string): FieldRow[] {
  return membersOf(schema, { name: "", prefix, isAnswer: false });
}

/** The members of an answer, and of the objects in it. @param prefix of the anchors */
export function answerRows(schema: Schema, prefix: string): FieldRow[] {
  return membersOf(schema, { name: "", prefix, isAnswer: true });
}

/** The parameters of a path or a query. */
export function parameterRows(parameters: readonly Schema[], prefix: string): FieldRow[] {
  return parameters.map(({ name, schema, description = "", required }) => ({
    id: `${prefix}-${String(name)}`,
    name: String(name),
    type: typeOf(schema as Schema),
    marks: required === true ? ["required"] : [],
    description: String(description),
  }));
}

/** The name of a member from the top, the beginning of its anchor, and whether it is a part of an answer. */
type At = { name: string; prefix: string; isAnswer: boolean };

function rowsOf({ name, prefix, isAnswer }: At, schema: Schema, marks: readonly string[]): FieldRow[] {
  const inner = innerOf(schema);
  const { description = inner.description ?? "" } = schema;
  const type = typeOf(schema);
  // A required field of a resource cannot be null, whatever its schema shares with optional ones.
  const isField = prefix === "field" && marks.includes("required");
  const nulls = isNullable(schema) && !isField ? ["may be null"] : [];
  const row = { id: `${prefix}-${name}`, name, type, marks: [...marks, ...nulls], description: String(description) };
  const items = inner.type === "array" ? innerOf(inner.items as Schema) : null;
  const below =
    items === null
      ? membersOf(inner, { name: `${name}.`, prefix, isAnswer })
      : membersOf(items, { name: `${name}[].`, prefix, isAnswer });
  return [row, ...below];
}

/** @param at where the members stand: their names begin with its name */
function membersOf(schema: Schema, at: At): FieldRow[] {
  const {
    properties = {},
    required = [],
    allOf = [],
  } = definitionOf(schema) as {
    properties?: Record<string, Schema>;
    required?: readonly string[];
    allOf?: readonly Schema[];
  };
  const own = Object.entries(properties).flatMap(([name, member]) =>
    rowsOf({ ...at, name: at.name + name }, member, marksOf(required.includes(name), at)),
  );
  return [...allOf.flatMap((part) => membersOf(part, at)), ...own];
}

/** An answer has its members always, unless they are optional. */
function marksOf(isRequired: boolean, { isAnswer }: At): string[] {
  if (isAnswer) return isRequired ? [] : ["optional"];
  return isRequired ? ["required"] : [];
}

/** The schema without the possibility of null. */
function innerOf(schema: Schema): Schema {
  const own = definitionOf(schema);
  const [one, other] = (own.anyOf ?? []) as Schema[];
  if (one !== undefined && other?.type === "null") return definitionOf(one);
  if (!Array.isArray(own.type)) return own;
  const { enum: values, ...rest } = own;
  const [type] = own.type as string[];
  return { ...rest, type, ...(Array.isArray(values) && { enum: values.filter((value) => value !== null) }) };
}

function isNullable(schema: Schema): boolean {
  const { type, anyOf } = definitionOf(schema) as { type?: unknown; anyOf?: readonly Schema[] };
  return (Array.isArray(type) && type.includes("null")) || anyOf?.some((each) => each.type === "null") === true;
}

const FORMATS: Record<string, string> = {
  date: "date",
  "date-time": "timestamp",
  "idn-email": "e-mail address",
  uri: "URL",
};

/** The type with its bounds, in words. */
function typeOf(schema: Schema): string {
  const own = innerOf(schema);
  const { type, enum: values, format, maxLength, minimum, maximum, items, maxItems, const: only } = own;
  const { additionalProperties: value } = own;
  if (only !== undefined) return `\`${JSON.stringify(only)}\``.replaceAll("`", "");
  if (Array.isArray(values)) return `one of ${values.join(", ")}`;
  if (type === "array") return `list of ${typeOf(items as Schema)}${bound("at most", maxItems)}`;
  if (type === "integer") return `integer${range(minimum, maximum)}`;
  if (typeof value === "object" && value !== null) return `object, each member a ${typeOf(value as Schema)}`;
  const name =
    FORMATS[String(format)] ?? (own.anyOf === undefined ? (typeof type === "string" ? type : "any value") : "object");
  return `${name}${bound("at most", maxLength, " characters")}`;
}

function range(minimum: unknown, maximum: unknown): string {
  const most = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
  const least = minimum === Number.MIN_SAFE_INTEGER ? undefined : minimum;
  return `${bound("at least", least)}${bound("at most", most)}`;
}

function bound(word: string, value: unknown, unit = ""): string {
  return typeof value === "number" ? `, ${word} ${value.toLocaleString("en")}${unit}` : "";
}
