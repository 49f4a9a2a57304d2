import type { Change, WebhookDeliveryType } from "./schemas.generated.ts";

/** A message of a webhook. `id` is the same in all attempts: store it to detect repetitions. */
export type WebhookEvent = { id: string; timestamp: string } & (
  | { type: Exclude<WebhookDeliveryType, "webhook.test">; data: Change }
  | { type: "webhook.test"; data: { webhook_id: number } }
);

/** The message is not from Liaison, too old, or was changed on its way. Respond with 401. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
}

export type WebhookMessage = {
  /** `Headers`, or Node.js's `headers` or `rawHeaders`; names in upper or lower case. */
  headers: Pick<Headers, "get"> | Record<string, string | string[] | undefined> | string[];
  /** The body as received: parsing and writing it again would change its bytes. */
  body: string | Uint8Array;
};

export type VerifyOptions = {
  /** Maximum age of a message and difference of the clocks, in seconds; 300 by default. */
  tolerance?: number;
};

/**
 * Verifies that a message is recent and signed with one of the secrets (`whsec_...`), and returns its event.
 * @param secrets one, or several during a rotation
 * @throws WebhookVerificationError
 */
export async function verifyWebhook(
  { headers, body }: WebhookMessage,
  secrets: string | readonly string[],
  { tolerance = 300 }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const [id, sent, signatures] = ["id", "timestamp", "signature"].map((name) => header(headers, `webhook-${name}`));
  if (id === undefined || sent === undefined || signatures === undefined) {
    throw new WebhookVerificationError("It has no webhook-id, webhook-timestamp or webhook-signature.");
  }
  if (!/^\d{1,12}$/.test(sent) || Math.abs(Date.now() / 1_000 - Number(sent)) > tolerance) {
    throw new WebhookVerificationError("It is not of now.");
  }
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const signed = joined(new TextEncoder().encode(`${id}.${sent}.`), bytes);
  const keys = await Promise.all([secrets].flat().map(keyOf));
  const theirs = signatures.split(" ").flatMap((each) => (each.startsWith("v1,") ? [decoded(each.slice(3))] : []));
  for (const key of keys) {
    for (const signature of theirs) {
      // `verify` compares in constant time.
      if (signature === null || !(await crypto.subtle.verify("HMAC", key, signature, signed))) continue;
      return { id, ...(JSON.parse(new TextDecoder().decode(bytes)) as object) } as WebhookEvent;
    }
  }
  throw new WebhookVerificationError("It has no signature of this secret.");
}

async function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = decoded(secret.replace(/^whsec_/, ""));
  if (bytes === null || bytes.length === 0) throw new TypeError("A secret is whsec_ and base64.");
  return await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
}

function header(headers: WebhookMessage["headers"], name: string): string | undefined {
  // Another library's Headers are no instance of the global class.
  if (isHeaders(headers)) return headers.get(name) ?? undefined;
  const [, value] = entriesOf(headers).find(([each]) => each.toLowerCase() === name) ?? [];
  return [value].flat()[0];
}

function isHeaders(headers: WebhookMessage["headers"]): headers is Pick<Headers, "get"> {
  return typeof (headers as Headers).get === "function";
}

function entriesOf(headers: Exclude<WebhookMessage["headers"], Pick<Headers, "get">>) {
  if (!Array.isArray(headers)) return Object.entries(headers);
  // `rawHeaders`: names and values alternate.
  return headers.flatMap((each: string, at) => (at % 2 === 0 ? [[each, headers[at + 1] as string] as const] : []));
}

/** The bytes of a base64 text, or null. */
function decoded(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function joined(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(head.length + tail.length);
  all.set(head);
  all.set(tail, head.length);
  return all;
}
