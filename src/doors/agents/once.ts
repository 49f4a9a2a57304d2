import { errors } from "../../kit/errors.ts";
import { keyedRequest, type KeyedRequest } from "../../kit/stored-answers/keyed-request.ts";
import { canonical } from "./confirmation.ts";
import type { AgentSession } from "./session.ts";
import type { Arguments, WritingTool } from "./tool.ts";

/**
 * The key of a call: its result is stored once. The tool's name takes the place of a path, and its arguments in place
 * of a body. What asks first is looked up first: a repetition is answered without another question.
 */
export function onceFor(tool: WritingTool, { keyId }: Pick<AgentSession, "keyId">, given: Arguments): KeyedRequest {
  const once = keyedRequest(`mcp:${String(given.request_id).toLowerCase()}`, {
    apiKey: keyId,
    method: "MCP",
    path: tool.name,
    params: {},
    bytes: Buffer.from(canonical(given)),
    status: 200,
  });
  if (once === null) throw errors.idempotencyKeyInvalid();
  return { ...once, isLarge: once.isLarge || tool.preview !== undefined };
}
