import fs from "node:fs";
import path from "node:path";
import { apiInfo } from "../../src/doors/api-info.ts";
import { routes } from "../../src/doors/routes.ts";
import { openapiDocument } from "../../src/kit/openapi/document.ts";

/**
 * The types of the TypeScript client, from the OpenAPI document. As a program it writes them (`npm run client-types`).
 */
export const GENERATED = path.join(import.meta.dirname, "../../clients/typescript/src/schemas.generated.ts");

/** A schema, as far as our own document makes use of it. */
type Schema = {
  $ref?: string;
  type?: string | string[];
  description?: string;
  const?: unknown;
  enum?: unknown[];
  allOf?: Schema[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema;
};
type Parameter = { name: string; in: string; description?: string; schema: Schema };
type Operation = { operationId: string; parameters?: Parameter[] };
type Document = { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, Schema> } };

/**
 * The text of the file: a type for each schema, one for what each list can be asked (`ListCompaniesQuery`), and the
 * codes of errors.
 */
export function generatedTypes(): string {
  const document = openapiDocument(apiInfo, routes, null) as Document;
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => exported(name, schema));
  const queries = Object.values(document.paths).flatMap(({ get }) => {
    const asked = (get?.parameters ?? []).filter((parameter) => parameter.in === "query");
    if (get === undefined || asked.length === 0) return [];
    const members = asked.map(({ name, description, schema }) => [name, { ...schema, description }] as const);
    const name = `${get.operationId.charAt(0).toUpperCase()}${get.operationId.slice(1)}Query`;
    return [exported(name, { type: "object", properties: Object.fromEntries(members) as Record<string, Schema> })];
  });
  const codes = exported("ErrorCode", { description: "Values of `X-Error-Code`.", enum: codesIn(document).toSorted() });
  return ["// Generated from the OpenAPI document by `npm run client-types`.\n", codes, ...queries, ...schemas].join(
    "\n",
  );
}

/** A resource with custom fields has their type as its parameter, and so has a page of it. */
const PARAMETER = "<Custom = CustomFields>";
const OF_CUSTOM: Readonly<Record<string, string>> = {
  metadata: "Partial<Custom> | null",
  custom: "CustomValues<Custom>",
};

function exported(name: string, schema: Schema): string {
  if (name === "CustomValues") return customValues(schema);
  const text = typeOf(schema, "");
  const whole = /(?:Page|BatchItem)$/.test(name)
    ? text.replaceAll(/\b(?:(?:Company|Contact|Invoice)(?:Create|Update)|Company|Contact|InvoiceItem)\b/g, "$&<Custom>")
    : text;
  return `${comment(schema, "")}export type ${name}${/\bCustom\b/.test(whole) ? PARAMETER : ""} = ${whole};\n`;
}

function customValues(schema: Schema): string {
  return `/** The values of a workspace's own fields, by key. */
export type CustomFields = Record<string, string | number | boolean>;

${comment(schema, "")}export type CustomValues${PARAMETER} = { [Key in keyof Custom]?: Custom[Key] | null } | null;
`;
}

function typeOf(schema: Schema, indent: string): string {
  const { $ref, const: only, enum: values, allOf, anyOf, type } = schema;
  if ($ref !== undefined) return $ref.slice("#/components/schemas/".length);
  if (only !== undefined) return JSON.stringify(only);
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(" | ");
  if (allOf !== undefined) return allOf.map((each) => typeOf(each, indent)).join(" & ");
  if (anyOf !== undefined) return anyOf.map((each) => typeOf(each, indent)).join(" | ");
  return [type ?? "unknown"]
    .flat()
    .map((name) => plain(name, schema, indent))
    .join(" | ");
}

function plain(name: string, schema: Schema, indent: string): string {
  if (name === "integer") return "number";
  if (name === "array") return `Array<${typeOf(schema.items ?? {}, indent)}>`;
  if (name !== "object") return name;
  if (schema.properties === undefined) return `Record<string, ${typeOf(schema.additionalProperties ?? {}, indent)}>`;
  const inner = `${indent}  `;
  const members = Object.entries(schema.properties).map(([member, its]) => {
    const mark = schema.required?.includes(member) === true ? "" : "?";
    // A filter's values are texts.
    const type = ("maxProperties" in its ? undefined : OF_CUSTOM[member]) ?? typeOf(its, inner);
    return `${comment(its, inner)}${inner}${member}${mark}: ${type};\n`;
  });
  const other = schema.additionalProperties;
  const further = other === undefined ? "" : `${inner}[name: string]: ${typeOf(other, inner)} | undefined;\n`;
  return `{\n${members.join("")}${further}${indent}}`;
}

function comment({ description }: Schema, indent: string): string {
  return description === undefined ? "" : `${indent}/** ${description.replaceAll("*/", "*\\/")} */\n`;
}

/** The values of every `X-Error-Code`, wherever in the document it is described. */
function codesIn(node: unknown): string[] {
  if (typeof node !== "object" || node === null) return [];
  const codes = Object.entries(node).flatMap(([key, value]) =>
    key === "X-Error-Code" ? ((value as { schema: { enum?: string[] } }).schema.enum ?? []) : codesIn(value),
  );
  return [...new Set(codes)];
}

if (import.meta.main) fs.writeFileSync(GENERATED, generatedTypes());
