import { nullable, objectSchema, type Schema } from "./schema.ts";

/** The schema of a read-only member, by its name (specification 2.1 and 2.2). Throws for one that has none yet. */
export function memberSchema(name: string): Schema {
  const schema = members[name];
  if (schema === undefined) throw new Error(`src/docs/member-schemas.ts has no schema for the member ${name}.`);
  return schema;
}

export const idSchema: Schema = { type: "integer", format: "int64", minimum: 1, examples: [1] };

export const timestampSchema: Schema = {
  type: "string",
  format: "date-time",
  pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$`,
  description: "UTC, with microseconds.",
  examples: ["2026-11-20T09:15:00.123456Z"],
};

const namedSchema: Schema = objectSchema({ id: idSchema, name: { type: "string", examples: ["Ana Ionescu"] } });
const countSchema: Schema = { type: "integer", minimum: 0, examples: [2] };

const members: Record<string, Schema> = {
  id: idSchema,
  company_id: { ...idSchema, description: "The company that it belongs to." },
  wms_subdomain: nullable({
    type: "string",
    description: "The company's warehouse system. Set in the web interface only.",
    examples: ["transilvania"],
  }),
  metadata: nullable({
    type: "object",
    description: "Free-form data that the API never sets.",
    additionalProperties: true,
  }),
  created_at: timestampSchema,
  updated_at: { ...timestampSchema, description: "When a stored value last changed. UTC, with microseconds." },
  deleted_at: nullable({
    ...timestampSchema,
    description: "Null in every answer of this version: what is deleted is missing.",
  }),
  last_contacted_at: nullable({ ...timestampSchema, description: "Not set through the API." }),
  full_name: { type: "string", description: "First name, space, last name.", examples: ["Ioana Popescu"] },
  assigned_user: nullable({ ...namedSchema, description: "The user that `assigned_to` names." }),
  company: {
    ...objectSchema({ id: idSchema, name: { type: "string", examples: ["Transilvania Foods SRL"] } }),
    description: "The company that it belongs to.",
  },
  contacts_count: { ...countSchema, description: "Contacts that are not deleted." },
  addresses_count: { ...countSchema, description: "Addresses that are not deleted." },
};
