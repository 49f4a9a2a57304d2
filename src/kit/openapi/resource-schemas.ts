import { INTEGER_MAX, TENANT_COUNTRY, TEXT_MAX, type Field } from "../../platform/fields/fields.ts";
import { groupsOf, ungroupedFields } from "../../platform/fields/grouped-fields.ts";
import { DECIMAL } from "../../platform/fields/validation.ts";
import { externalMembers } from "./external-reference.ts";
import type { Resource } from "./resource.ts";
import { integerSchema, named, nullable, objectSchema, type Schema } from "./schema.ts";

/** A resource as answered by POST and PUT, and in lists unless they omit members. */
export function resourceSchema(resource: Resource): Schema {
  const { members, notInLists, singular } = resource;
  const where = notInLists === undefined ? "lists, POST and PUT answer" : "POST and PUT answer";
  return named(resource.model, answerSchema(resource, members, `The ${singular} as ${where} it.`));
}

/** The members that lists show. */
export function listedMembers({ members, notInLists = [] }: Resource): string[] {
  return members.filter((name) => !notInLists.includes(name));
}

/** A resource in a list that omits members. */
export function listedSchema(resource: Resource): Schema {
  const schema = answerSchema(resource, listedMembers(resource), `The ${resource.singular} as lists answer it.`);
  return named(`${resource.model}Item`, schema);
}

/** A single one, as GET answers it. */
export function detailsSchema(resource: Resource): Schema {
  const { members, membersOfOne, singular, model } = resource;
  const schema = answerSchema(resource, [...members, ...membersOfOne], `A single ${singular}, as GET answers it.`);
  return named(`${model}Details`, schema);
}

export function bodySchema(resource: Resource, use: Exclude<Use, "answer">): Schema {
  const { fields, singular, model } = resource;
  const required = use === "create" ? fields.filter(({ required }) => required).map(({ name }) => name) : [];
  const properties = {
    ...Object.fromEntries(ungroupedFields(fields).map((field) => [field.name, fieldSchema(field, model, use)])),
    ...groupMembers(resource, use),
    ...externalMembers(resource, "sent"),
    ...(resource.hasCustom ? { custom: customSchema } : {}),
  };
  const description =
    use === "create"
      ? `The fields of a new ${singular}. Null and \`""\` mean: not given. Unknown and read-only fields are ignored.`
      : `The fields to change. Absent fields stay as they are; null or \`""\` clears a field that may be null. ` +
        "Unknown and read-only fields are ignored.";
  return named(`${model}${pascal(use)}`, { description, ...objectSchema(properties, required) });
}

const customSchema: Schema = named("CustomValues", {
  type: ["object", "null"],
  description: "Values of the workspace's custom fields by key; null removes one. Answers have them as `metadata`.",
  additionalProperties: { type: ["string", "number", "boolean", "null"] },
});

/** @param members those that the answer has, in order */
export function answerSchema(resource: Resource, members: readonly string[], description: string): Schema {
  const { fields, readOnly, model, sometimes = [] } = resource;
  const properties = [...members, ...sometimes].map((name) => {
    const field = fields.find((field) => field.name === name);
    const schema = field === undefined ? readOnly[name]?.schema : fieldSchema(field, model, "answer");
    if (schema === undefined) throw new Error(`the reference of ${model} has no words for its member ${name}`);
    return [name, schema];
  });
  const own = Object.fromEntries(properties) as Record<string, Schema>;
  const embedded = Object.fromEntries(
    (resource.embedded ?? []).map(({ word, schema }) => {
      const field = fields.find(({ name }) => name === word);
      return [word, schema ?? (field === undefined ? {} : fieldSchema(field, model, "answer"))];
    }),
  );
  const all = { ...embedded, ...own, ...groupMembers(resource, "answer"), ...externalMembers(resource, "answered") };
  return { description, ...objectSchema(all, [...members]) };
}

/** The members with fields inside. Answers have one only if it is asked for. */
function groupMembers({ fields, model }: Resource, use: Use): Record<string, Schema> {
  const groups = [...groupsOf(fields)].map(([group, own]) => {
    const properties = Object.fromEntries(own.map((field) => [field.name, fieldSchema(field, model, use)]));
    const required = use === "answer" ? own.map(({ name }) => name) : [];
    const schema = named(
      `${model}${pascal(group)}${use === "answer" ? "" : pascal(use)}`,
      objectSchema(properties, required),
    );
    return [group, use === "answer" ? { ...schema, description: `Only with \`include=${group}\`.` } : schema];
  });
  return Object.fromEntries(groups) as Record<string, Schema>;
}

/** create and update: in a request's body. answer: in a body that the API sends. */
type Use = "create" | "update" | "answer";

/**
 * The schema of a field; whether it may be null follows from its default and from `required` (docs/contract.md 4.4).
 */
function fieldSchema(field: Field, model: string, use: Use): Schema {
  const value = valueSchema(field, model, use);
  const isNeverNull = field.default !== undefined || field.kind === "list";
  const isNullable = !field.required && (!isNeverNull || use === "create");
  return withWords(field, use, isNullable ? nullable(value) : value);
}

/** The possible values of a resource's field, for a filter by them. */
export function fieldValues({ model, fields }: Resource, name: string): Schema {
  const field = fields.find((field) => field.name === name);
  if (field === undefined) throw new Error(`${model} has no field ${name}`);
  return enumSchema(model, field);
}

function enumSchema(model: string, { name, kind, values }: Field): Schema {
  const ofOne = kind === "enums" ? singular(name) : name;
  return named(`${model}${pascal(ofOne)}`, { type: "string", enum: values });
}

function valueSchema(field: Field, model: string, use: Use): Schema {
  const length = field.max === undefined ? {} : { maxLength: field.max };
  const isNeverEmpty = use !== "answer" && (field.required || (use === "update" && field.default !== undefined));
  switch (field.kind) {
    case "email":
      // Not "email": domains may be in Unicode, and need no dot.
      return { type: "string", format: "idn-email", ...length };
    case "integer":
      return integerSchema(field.min ?? -INTEGER_MAX, field.max);
    case "user":
      return integerSchema(1);
    case "boolean":
      return { type: "boolean" };
    case "date":
      return { type: "string", format: "date" };
    case "decimal":
      return { type: "string", pattern: DECIMAL.source };
    case "url":
      return { type: "string", format: "uri", pattern: "^[Hh][Tt][Tt][Pp][Ss]?://", ...length };
    case "enum":
      return enumSchema(model, field);
    case "enums":
      return { type: "array", minItems: 1, maxItems: field.max, items: enumSchema(model, field) };
    case "list":
      return { type: "array", maxItems: field.max, items: itemSchema(field, model, use) };
    default:
      return { type: "string", ...(isNeverEmpty ? { minLength: 1 } : {}), ...length };
  }
}

/** An item is always sent complete, in an update too. */
function itemSchema({ name, items = [] }: Field, model: string, use: Use): Schema {
  const required = items.filter((item) => (use === "answer" && !item.sparse) || item.required).map(({ name }) => name);
  const inItem = use === "answer" ? use : "create";
  const properties = Object.fromEntries(items.map((item) => [item.name, fieldSchema(item, model, inItem)]));
  const ofOne = `${model}${pascal(singular(name))}`;
  return named(use === "answer" ? ofOne : `${ofOne}Input`, objectSchema(properties, required));
}

function withWords(field: Field, use: Use, schema: Schema): Schema {
  // If the schema had a default, generators would require clients to send the property.
  const hasDefault = use === "create" && field.default !== undefined && field.default !== TENANT_COUNTRY;
  const description = [
    field.description,
    hasDefault ? `Default: \`${String(field.default)}\`.` : "",
    field.kind === "date" && use !== "answer" ? "A date-time is accepted too; its date part is taken as written." : "",
    field.kind === "decimal" && use !== "answer" ? "A JSON number is accepted too." : "",
    field.max === TEXT_MAX ? "Free text." : "",
  ]
    .filter(Boolean)
    .join(" ");
  return {
    ...schema,
    ...(description === "" ? {} : { description }),
    ...(field.example === undefined ? {} : { examples: [field.example] }),
  };
}

function singular(name: string): string {
  return name.replace(/s$/, "");
}

/** `preferred_language` is `PreferredLanguage`. */
function pascal(name: string): string {
  return name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
