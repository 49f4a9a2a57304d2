import { customNouns, OPTION_VALUE_MAX, type CustomNoun } from "../../customers/custom-fields/custom-field.ts";
import { customTable } from "../../customers/custom-fields/defined-fields.ts";
import type { Schema } from "../../kit/openapi/schema.ts";
import type { CustomField, CustomTable } from "../../platform/fields/custom.ts";
import { argumentsSchema, argumentOf, fieldResults, type Properties } from "./schemas.ts";
import type { AgentSession } from "./session.ts";
import type { Tool } from "./tool.ts";

/** The custom fields of each noun. */
export type CustomTables = Readonly<Record<CustomNoun, CustomTable>>;

export async function customTablesOf({ actor, deps }: AgentSession): Promise<CustomTables> {
  const tables = customNouns.map(async (noun) => [noun, await customTable(actor.tenant, deps.database, noun)] as const);
  return Object.fromEntries(await Promise.all(tables)) as CustomTables;
}

/** The most characters of options in one tool: an assistant reads all schemas at each start. */
const MOST_OPTIONS = 8_000;

/** A tool as a workspace sees it: with its fields, or without `custom` if it has none. */
export function toolOf(tool: Tool, tables: CustomTables): Tool {
  const { custom: of } = tool;
  if (of === undefined) return tool;
  const { fields } = tables[of.noun];
  const { custom: _custom, ...input } = tool.input;
  if (fields.length === 0) return { ...tool, input };
  const result = tool.output[of.member] as { properties: Properties };
  const values = fieldResults(fields.map((field) => ({ ...field, name: field.key })));
  const metadata = { type: "object", description: "Values of the workspace's own fields.", properties: values };
  return {
    ...tool,
    input: tool.writes === undefined ? input : { ...input, custom: argumentsFor(fields) },
    output: { ...tool.output, [of.member]: { ...result, properties: { ...result.properties, metadata } } },
  };
}

function argumentsFor(fields: readonly CustomField[]): Schema {
  let left = MOST_OPTIONS;
  const properties = fields.map((field) => {
    left -= (field.values ?? []).reduce((sum, value) => sum + value.length, 0);
    return [field.key, argumentOf(left < 0 && field.kind === "enum" ? withFewer(field) : described(field))];
  });
  const schema = argumentsSchema(Object.fromEntries(properties) as Properties);
  return {
    ...schema,
    description: "The workspace's own fields, by key; null clears one. Answers have them as `metadata`.",
  };
}

function described(field: CustomField): CustomField {
  const { label, help, options } = field;
  const words = options.filter(({ value, label: word, archived }) => !archived && word !== value);
  const said = words.map(({ value, label: word }) => `${value}: ${word}`).join("; ");
  return { ...field, description: sentences(label, help, said) };
}

/** A choice with its first options as examples. */
function withFewer({ values = [], ...field }: CustomField): CustomField {
  const { label, help } = field;
  const some = `One of ${values.length} options, such as ${values.slice(0, 5).join(", ")}`;
  return { ...field, kind: "string", max: OPTION_VALUE_MAX, description: sentences(label, help, some) };
}

function sentences(...texts: readonly (string | null)[]): string {
  return texts.flatMap((text) => (text ? [text.replace(/\.$/, "")] : [])).join(". ");
}
