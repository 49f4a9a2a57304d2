import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv";
import type { Schema } from "../openapi/schema.ts";
import { argumentsSchema, text, type Properties } from "./schemas.ts";
import type { Tool } from "./tool.ts";

type Check = (given: unknown) => { valid: boolean; errorMessage?: string | undefined };

const validator = new AjvJsonSchemaValidator();
/** Compiled at the first call of a tool, because that takes milliseconds. */
const compiled = new Map<string, Check>();

/** The mistake in arguments; null for valid ones. */
export function argumentsError(tool: Tool, given: unknown): string | null {
  const check = compiled.getOrInsertComputed(tool.name, () => validator.getValidator(argumentsOf(tool)));
  const { valid, errorMessage } = check(given);
  return valid ? null : `The arguments are wrong: ${errorMessage ?? "they do not fit the schema"}.`;
}

const UUID = String.raw`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`;

/** The schema of a tool's arguments, with those that all writing tools have. */
export function argumentsOf(tool: Tool): Schema {
  const { input, required = [], writes } = tool;
  if (writes === undefined) return argumentsSchema(input, required);
  const ofWrites: Properties = {
    request_id: {
      type: "string",
      pattern: UUID,
      description: "A UUID: new for each intent, the same for a repetition of it.",
    },
    ...(tool.preview !== undefined && {
      confirm: text("`confirm` of the result before, once the person has agreed.", 2_000),
    }),
  };
  return argumentsSchema({ ...ofWrites, ...input }, ["request_id", ...required]);
}
