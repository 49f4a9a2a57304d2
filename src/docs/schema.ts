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
