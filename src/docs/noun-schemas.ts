import { INTEGER_MAX, TENANT_COUNTRY, TEXT_MAX, type Field } from "../platform/fields/fields.ts";
import type { Noun } from "./nouns.ts";
import { pageSchema } from "./page-schemas.ts";
import { idSchema, nullable, objectSchema, timestampSchema, type Schema } from "./schema.ts";

/** The schemas of a noun: its request bodies, its JSON, the JSON of a single one, and a page of them. */
export function nounSchemas(noun: Noun): Record<string, Schema> {
  const { model, singular, members, membersOfOne } = noun;
  return {
    [`${model}Create`]: bodySchema(noun, "create"),
    [`${model}Update`]: bodySchema(noun, "update"),
    [model]: answerSchema(noun, members, `The ${singular} as lists, POST and PUT answer it.`),
    [`${model}Details`]: answerSchema(noun, [...members, ...membersOfOne], `A single ${singular}, as GET answers it.`),
    [`${model}Page`]: pageSchema(model),
  };
}

function bodySchema({ fields, singular }: Noun, use: Exclude<Use, "answer">): Schema {
  const required = use === "create" ? fields.filter(({ required }) => required).map(({ name }) => name) : [];
  const properties = Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field, use)]));
  const description =
    use === "create"
      ? `The fields of a new ${singular}. Null and \`""\` mean: not given. Unknown and read-only fields are ignored.`
      : `The fields to change. Absent fields stay as they are; null or \`""\` clears a field that may be null. ` +
        "Unknown and read-only fields are ignored.";
  return { description, ...objectSchema(properties, required) };
}

function answerSchema({ fields }: Noun, members: readonly string[], description: string): Schema {
  const properties = members.map((name) => {
    const field = fields.find((field) => field.name === name);
    return [name, field === undefined ? memberSchema(name) : fieldSchema(field, "answer")];
  });
  return { description, ...objectSchema(Object.fromEntries(properties) as Record<string, Schema>) };
}

/** create and update: in a request's body. answer: in what the API sends. */
type Use = "create" | "update" | "answer";

/** The schema of a field; whether it may be null follows from its default and from `required` (decisions 2). */
function fieldSchema(field: Field, use: Use): Schema {
  const value = withWords(field, use, valueSchema(field, use));
  const isNullable = !field.required && (field.default === undefined || use === "create");
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
    case "enum":
      return { type: "string", enum: field.values };
    default:
      return { type: "string", ...(field.required && use !== "answer" ? { minLength: 1 } : {}), ...length };
  }
}

function withWords(field: Field, use: Use, schema: Schema): Schema {
  const description = [
    field.description,
    field.kind === "date" && use !== "answer" ? "A date-time is accepted too; its date part is taken as written." : "",
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

/** The schema of a read-only member, by its name (specification 2.1 and 2.2). Throws for one that has none yet. */
function memberSchema(name: string): Schema {
  const schema = members[name];
  if (schema === undefined) throw new Error(`src/docs/noun-schemas.ts has no schema for the member ${name}.`);
  return schema;
}

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
