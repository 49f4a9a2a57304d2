import { hash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { keyedRequest } from "../../kit/stored-answers/keyed-request.ts";
import type { Capability } from "../../people/api-keys/capability.ts";
import { now } from "../../platform/clock.ts";
import { HttpError } from "../../platform/http/http-error.ts";
import { cursorOf, positionOf } from "../../platform/http/lists/cursor.ts";
import { sessionSecrets } from "./confirmation.ts";
import type { AgentSession, JsonObject } from "./session.ts";
import type { Arguments } from "./tool.ts";

/** The kinds of resources that batches have, and the capability of each. */
export const batchKinds = {
  companies: "companies:write",
  contacts: "contacts:write",
  addresses: "addresses:write",
  invoices: "invoices:write",
} as const satisfies Record<string, Capability>;

export type BatchKindName = keyof typeof batchKinds;

export const MOST_PREVIEWED = 100;
/** The longest sealed preview: twice in a result, beside the outcome of the items. */
const SEALED_MAX = 11_500;
const VALID_MS = 600_000;
/** The most bytes of the items of a preview. */
const UNPACKED_MAX = 2 ** 20;

/** A batch as it was previewed. */
export type Previewed = { kind: BatchKindName; items: readonly JsonObject[] };

/** The batch as an encrypted text, good for ten minutes and for this key; null if it is too long. */
export function sealBatch(session: AgentSession, batch: Previewed): string | null {
  const packed = gzipSync(JSON.stringify(batch)).toString("base64");
  const sealed = cursorOf(
    JSON.stringify({ until: now() + VALID_MS, packed }),
    sessionSecrets(session),
    boundTo(session),
  );
  return sealed.length > SEALED_MAX ? null : sealed;
}

/** The part of a session that opens a batch. */
export type Opening = Pick<AgentSession, "keyId" | "calledAt" | "deps" | "actor">;

/** The batch of a sealed preview; null for any other text, and for one that is too old. */
export function openBatch(session: Opening, sealed: string): Previewed | null {
  const found = positionOf(sealed, sessionSecrets(session), boundTo(session)) as {
    until: number;
    packed: string;
  } | null;
  if (found === null || found.until <= session.calledAt) return null;
  const text = gunzipSync(Buffer.from(found.packed, "base64"), { maxOutputLength: UNPACKED_MAX }).toString();
  return JSON.parse(text) as Previewed;
}

/**
 * Whether no other request has applied a preview: a person agrees to one batch, and some items would be created twice.
 * The first request keeps the preview, so it can be repeated.
 */
export async function isFirstUse(session: AgentSession, { preview, request_id: request }: Arguments): Promise<boolean> {
  const bytes = Buffer.from(String(request).toLowerCase());
  const parts = { apiKey: session.keyId, method: "MCP", path: "preview", params: {}, bytes, status: 200 };
  const keyed = keyedRequest(`mcp:${batchDigest(String(preview))}`, parts);
  try {
    if (keyed !== null) await session.answerOnce(keyed, async () => ({ status: 200, json: "{}" }));
    return true;
  } catch (error) {
    if (error instanceof HttpError && error.code === "idempotency_key_reused") return false;
    throw error;
  }
}

export function batchDigest(sealed: string): string {
  return hash("sha256", sealed, "base64url");
}

function boundTo({ keyId }: Pick<AgentSession, "keyId">): readonly unknown[] {
  return ["mcp batch", keyId];
}
