import { fieldSchema } from "./field-schemas.ts";
import type { Noun } from "./nouns.ts";
import { memberSchema } from "./member-schemas.ts";
import { objectSchema, type Schema } from "./schema.ts";
import { pageSchema } from "./page-schemas.ts";

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

function bodySchema({ fields, singular }: Noun, use: "create" | "update"): Schema {
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
