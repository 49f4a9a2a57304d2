import type { CustomNoun } from "../../customers/custom-fields/custom-field.ts";
import type { Deps } from "../../kit/deps.ts";
import type { Answer } from "../../kit/endpoint.ts";
import type { Capability } from "../../people/api-keys/capability.ts";
import type { Properties } from "./schemas.ts";
import type { AgentSession, JsonObject } from "./session.ts";

/** Arguments that have passed the tool's schema. */
export type Arguments = JsonObject;

type Described = {
  name: string;
  title: string;
  /** For the assistant: what it does, and when to use it. */
  description: string;
  /** A key sees the tool if it has all of these, and one of `anyOf`. */
  needs: readonly Capability[];
  anyOf?: readonly Capability[];
  input: Properties;
  required?: readonly string[];
  /** The noun whose custom fields it writes as `custom`, or has as `metadata` in a member of its result. */
  custom?: { noun: CustomNoun; member: string };
  /** The members of its result; `replayed` and the like are added (tool-schemas.ts). */
  output: Properties;
};

/** A tool that changes nothing. */
export type ReadingTool = Described & {
  writes?: undefined;
  preview?: undefined;
  /** @param size how much of long texts and lists fits (results.ts) */
  run: (session: AgentSession, args: Arguments, size: Size) => Promise<JsonObject>;
};

/** A tool that writes, once for each `request_id`. */
export type WritingTool = Described & {
  writes: { isDestructive: boolean; reachesOut?: true };
  /** The effect, in a sentence for a person and as data. Undefined for a tool that does not ask. */
  preview?: (session: AgentSession, args: Arguments) => Promise<Preview>;
  /** Whether a call asks. Undefined for a tool that always asks, or never. */
  asksIf?: (session: AgentSession, args: Arguments) => Promise<boolean>;
  /** Writes by `deps`, so that the answer is stored together with its effect. */
  run: (session: AgentSession, args: Arguments, deps: Deps) => Promise<Answer>;
};

export type Tool = ReadingTool | WritingTool;

/** A confirmation holds as long as what it showed stays the same (confirmation.ts). */
export type Preview = {
  question: string;
  data: JsonObject;
  /** Shown too, but it moves while a request waits, and the confirmation still holds. */
  moving?: JsonObject;
  /** The version of the resource, which has to stay the same too. */
  version: string;
};

/** The most rows of a list. */
export type Size = { rows: number };
