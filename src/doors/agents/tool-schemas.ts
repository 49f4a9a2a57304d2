import { Ajv } from "@modelcontextprotocol/server/validators/ajv";
import type { Schema } from "../../kit/openapi/schema.ts";
import { shortened } from "../../platform/text.ts";
import { argumentsSchema, flag, resultSchema, text, type Properties } from "./schemas.ts";
import type { Tool } from "./tool.ts";

const UUID = String.raw`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`;

const ofWrites: Properties = {
  request_id: {
    type: "string",
    pattern: UUID,
    description: "A UUID: new for each intent, the same for a repetition of it.",
  },
};
const ofQuestions: Properties = {
  confirm: text("`confirm` of the result before, once the person has agreed.", 2_000),
};
const resultOfWrites: Properties = { replayed: flag("The result of an earlier call with this request_id.") };
const resultOfQuestions: Properties = {
  needs_confirmation: flag("Nothing is done yet: show the preview to the person."),
  preview: { type: "object" },
  confirm: { type: "string" },
  confirm_at: { type: "string", description: "The page where the person confirms, instead of `confirm`." },
  expires_at: { type: "string", description: "The end of the wait for the person." },
};

/** The schema of a tool's arguments, with those that all writing tools have. */
export function argumentsOf({ input, required = [], writes, preview }: Tool): Schema {
  if (writes === undefined) return argumentsSchema(input, required);
  return argumentsSchema({ ...ofWrites, ...(preview && ofQuestions), ...input }, ["request_id", ...required]);
}

/** The schema of a tool's results, with the members that all writing tools have. */
export function outputOf({ output, writes, preview }: Tool): Schema {
  return resultSchema({ ...output, ...(preview && resultOfQuestions), ...(writes && resultOfWrites) });
}

/** It stops at the first mistake: an argument may hold a hundred thousand. `verbose` names the known arguments. */
const ajv = new Ajv({ strict: false, verbose: true });
/** Compiled at the first call of a tool, because that takes milliseconds. */
const compiled = new Map<string, ReturnType<typeof ajv.compile>>();

/** The longest name of an argument that a mistake repeats. */
const NAME_MAX = 60;

/** The first mistake in arguments, by the path of the argument; null for valid ones. */
export function argumentErrors(tool: Tool, args: unknown): Readonly<Record<string, string[]>> | null {
  const check = compiled.getOrInsertComputed(tool.name, () => ajv.compile(argumentsOf(tool)));
  if (check(args) || !check.errors?.[0]) return null;
  const { instancePath, keyword, message, params, parentSchema } = check.errors[0];
  const { missingProperty, additionalProperty, allowedValues = [] } = params as Mistake;
  const path = [...instancePath.split("/").slice(1), missingProperty ?? additionalProperty ?? []].flat().join(".");
  const sentences: Readonly<Record<string, string>> = {
    required: "is required",
    additionalProperties: `is no argument of this tool; there are ${Object.keys(parentSchema?.properties ?? {}).join(", ")}`,
    enum: `must be one of ${allowedValues.join(", ")}`,
  };
  return { [shortened(path, NAME_MAX)]: [sentences[keyword] ?? message ?? keyword] };
}

/** The parameters of a mistake, by its kind. */
type Mistake = { missingProperty?: string; additionalProperty?: string; allowedValues?: string[] };
