import { INTEGER_MAX, TENANT_COUNTRY, TEXT_MAX, type Field } from "../platform/fields.ts";
import { nullable, type Schema } from "./schema.ts";

/** create and update: in a request's body. answer: in what the API sends. */
export type Use = "create" | "update" | "answer";

/** The schema of a field; whether it may be null follows from its default and from `required` (decisions 2). */
export function fieldSchema(field: Field, use: Use): Schema {
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
