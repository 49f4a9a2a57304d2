import { errors } from "../../kit/errors.ts";
import { keyedRequest, type KeyedRequest } from "../../kit/stored-answers/keyed-request.ts";
import { canonical } from "./confirmation.ts";
import type { AgentSession } from "./session.ts";
import type { Arguments, WritingTool } from "./tool.ts";

/**
 * The idempotency key of a call, with the tool's name as its path and the arguments as its body. A tool with a
 * preview looks up the stored result before it asks, so that a repetition does not ask again.
 */
export function onceFor(tool: WritingTool, { keyId }: Pick<AgentSession, "keyId">, args: Arguments): KeyedRequest {
  const once = keyedRequest(`mcp:${String(args.request_id).toLowerCase()}`, {
    apiKey: keyId,
    method: "MCP",
    path: tool.name,
    params: {},
    bytes: Buffer.from(canonical(args)),
    status: 200,
  });
  if (once === null) throw errors.idempotencyKeyInvalid();
  return { ...once, isLarge: once.isLarge || tool.preview !== undefined };
}
