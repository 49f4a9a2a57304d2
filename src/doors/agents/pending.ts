import { errors } from "../../kit/errors.ts";
import type { KeyedRequest } from "../../kit/stored-answers/keyed-request.ts";
import {
  findPendingOfKey,
  insertPendingRequest,
  type PendingRequest,
} from "../../kit/stored-answers/pending-request-queries.ts";
import type { ColumnName, Secrets } from "../../platform/encryption/keyring.ts";
import { digestOf, shownOf, stateOf } from "./confirmation.ts";
import type { AgentSession, JsonObject } from "./session.ts";
import type { Arguments, WritingTool } from "./tool.ts";

const COLUMN: ColumnName = "pending_requests.secret";

/** A call that waits, as it is encrypted: its arguments, when it was made, and the effect that was shown. */
export type PendingCall = { given: Arguments; calledAt: number; data: JsonObject; state: string };

/** The page of all requests that wait. */
export const PENDING_PATH = "/agents/pending";

export function pendingAddress({ origin }: Pick<AgentSession, "origin">): string {
  return `${origin}${PENDING_PATH}`;
}

/**
 * Lets a call wait for a person, or finds the one that waits already. Null if too many of its key wait. Throws what the
 * preview throws, and idempotencyKeyReused for another call with the same request_id.
 */
export async function storePendingCall(
  tool: WritingTool,
  session: AgentSession,
  once: KeyedRequest,
  args: Arguments,
): Promise<{ request: PendingRequest; preview: JsonObject } | null> {
  const { deps, actor, keyId, calledAt } = session;
  const { tenant } = actor;
  const { keyring } = deps;
  let request = await findPendingOfKey(tenant, deps.database, keyId, once.key);
  if (request === null) {
    const preview = await tool.preview?.(session, args);
    if (preview === undefined) throw new Error(`The tool ${tool.name} asks nobody.`);
    const call: PendingCall = { given: args, calledAt, data: shownOf(preview), state: stateOf(preview) };
    const secret = keyring.encrypt(tenant, COLUMN, JSON.stringify(call));
    await insertPendingRequest(tenant, deps.database, once, { tool: tool.name, secret });
    request = await findPendingOfKey(tenant, deps.database, keyId, once.key);
  }
  if (request === null) return null;
  const call = pendingCallOf(request, { keyring, tenant });
  if (call === null) throw errors.resourceMissing("Request", request.id);
  if (request.tool !== tool.name || digestOf(call.given) !== digestOf(args)) throw errors.idempotencyKeyReused();
  return { request, preview: call.data };
}

/** The call of a request that waits; null if it does not decrypt. */
export function pendingCallOf({ secret }: PendingRequest, { keyring, tenant }: Secrets): PendingCall | null {
  const text = keyring.clear(tenant, COLUMN, secret);
  return text === null ? null : (JSON.parse(text) as PendingCall);
}
