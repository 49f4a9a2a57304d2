import { hash } from "node:crypto";
import { now } from "../../platform/clock.ts";
import { cursorOf, positionOf } from "../../platform/http/lists/cursor.ts";
import { asLine, shortened } from "../../platform/text.ts";
import type { AgentSession, JsonObject } from "./session.ts";
import type { Arguments, Preview } from "./tool.ts";

const VALID_MS = 600_000;

/** A confirmation as it is sealed: bound to the key, the tool and its arguments. `state` is the shown state. */
type Sealed = { until: number; state: string };

/** The state that a confirmation is bound to: all that its preview shows, except what moves. */
export function stateOf({ version, data }: Preview): string {
  return hash("sha256", JSON.stringify(ordered([version, data])), "base64url");
}

/** A preview as the assistant and the page show it. */
export function shownOf({ data, moving }: Preview): JsonObject {
  return { ...data, ...moving };
}

/** A text that proves that the question was asked. It is encrypted, and good in every process for ten minutes. */
export function seal(session: AgentSession, tool: string, args: Arguments, state: string): string {
  const sealed: Sealed = { until: now() + VALID_MS, state };
  return cursorOf(JSON.stringify(sealed), sessionSecrets(session), boundTo(session, tool, args));
}

/** Whether the text is a confirmation of this call, and what was shown has not changed since. */
export function isConfirmed(
  session: AgentSession,
  tool: string,
  args: Arguments,
  state: string,
  sealed: string,
): boolean {
  const found = positionOf(sealed, sessionSecrets(session), boundTo(session, tool, args)) as Sealed | null;
  return found !== null && found.until > now() && found.state === state;
}

function boundTo({ keyId }: AgentSession, tool: string, args: Arguments): readonly unknown[] {
  return ["mcp", keyId, tool, digestOf(args)];
}

export function sessionSecrets({ deps: { keyring }, actor: { tenant } }: Pick<AgentSession, "deps" | "actor">) {
  return { keyring, tenant };
}

/** The longest name in a question, in code points. */
const NAME_MAX = 80;

/** A name in a question to a person: whatever a customer typed, it stays in its line. */
export function nameInQuestion(name: unknown): string {
  return asLine(shortened(String(name), NAME_MAX));
}

/** The arguments of a call in one order, without those that name the call and its confirmation. */
export function canonical(args: Arguments): string {
  return JSON.stringify(ordered({ ...args, request_id: undefined, confirm: undefined }));
}

export function digestOf(args: Arguments): string {
  return hash("sha256", canonical(args), "base64url");
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value as JsonObject).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, member]) => [name, ordered(member)]));
}
