/** A JSON Schema (draft 2020-12), as OpenAPI 3.1 has it. */
export type Schema = Readonly<Record<string, unknown>>;

/** An object that has all of these members. It is left open: later versions may add members (docs/api.md). */
export function objectSchema(properties: Record<string, Schema>, required = Object.keys(properties)): Schema {
  return { type: "object", ...(required.length === 0 ? {} : { required }), properties };
}

/** The schema of a value that may also be null. */
export function nullable(schema: Schema): Schema {
  const { type, enum: values } = schema;
  return { ...schema, type: [type, "null"], ...(Array.isArray(values) ? { enum: [...values, null] } : {}) };
}

export function refTo(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** The `{data: ...}` around a single resource. */
export function dataOf(name: string): Schema {
  return objectSchema({ data: refTo(name) });
}

export const idSchema: Schema = { type: "integer", format: "int64", minimum: 1, examples: [1] };

export const timestampSchema: Schema = {
  type: "string",
  format: "date-time",
  pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$`,
  description: "UTC, with microseconds.",
  examples: ["2026-11-20T09:15:00.123456Z"],
};
