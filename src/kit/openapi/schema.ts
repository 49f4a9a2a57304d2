import { INTEGER_MAX } from "../../platform/fields/fields.ts";

/** A JSON Schema (draft 2020-12), as in OpenAPI 3.1. */
export type Schema = Readonly<Record<string, unknown>>;

/** An object with all of these members. Others are allowed: later versions may add members (docs/api.md). */
export function objectSchema(properties: Record<string, Schema>, required = Object.keys(properties)): Schema {
  return { type: "object", ...(required.length === 0 ? {} : { required }), properties };
}

const INT32_MAX = 2 ** 31 - 1;
const DEFINITION = Symbol("definition");

/**
 * A schema with a name of its own in the document, as client generators need it: a reference that includes its
 * definition. No name is one of a language's own types (test/kit/api/openapi.test.ts).
 */
export function named(name: string, definition: Schema): Schema {
  return { $ref: `#/components/schemas/${name}`, [DEFINITION]: definition };
}

/** The schema itself: a reference is replaced by its definition, with the members beside the reference. */
export function definitionOf(schema: Schema): Schema {
  const { [DEFINITION]: definition, $ref, ...beside } = schema as Schema & { [DEFINITION]?: Schema };
  return definition === undefined || $ref === undefined ? schema : { ...definition, ...beside };
}

/** The definitions of all referenced schemas, by name; a name that is used twice comes twice. */
export function definitionsIn(node: unknown): [string, Schema][] {
  if (typeof node !== "object" || node === null) return [];
  const definition = (node as { [DEFINITION]?: Schema })[DEFINITION];
  const inside = Object.values(node).flatMap(definitionsIn);
  if (definition === undefined) return inside;
  return [[nameOf(node as Schema), definition], ...definitionsIn(definition), ...inside];
}

export function nameOf({ $ref }: Schema): string {
  return String($ref).slice(String($ref).lastIndexOf("/") + 1);
}

/** The schema of a value that may also be null. */
export function nullable(schema: Schema): Schema {
  if ("$ref" in schema) return { anyOf: [schema, { type: "null" }] };
  const { type, enum: values } = schema;
  return { ...schema, type: [type, "null"], ...(Array.isArray(values) ? { enum: [...values, null] } : {}) };
}

/** The `{data: ...}` around a single resource. */
export function dataOf(resource: Schema): Schema {
  return named(`${nameOf(resource)}Response`, objectSchema({ data: resource }));
}

/** A whole number within these bounds, in a format with enough bits. */
export function integerSchema(minimum: number, maximum = INTEGER_MAX): Schema {
  return { type: "integer", format: maximum <= INT32_MAX ? "int32" : "int64", minimum, maximum };
}

export const idSchema: Schema = { type: "integer", format: "int64", minimum: 1, examples: [1] };

export const timestampSchema: Schema = {
  type: "string",
  format: "date-time",
  pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$`,
  description: "UTC, with microseconds.",
  examples: ["2026-11-20T09:15:00.123456Z"],
};
