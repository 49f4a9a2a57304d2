import { createHmac, randomBytes } from "node:crypto";

/** Webhooks are signed as Standard Webhooks 1.0.0 has it, so that every library of it verifies them. */
const PREFIX = "whsec_";
const SECRET_BYTES = 32;

/** A new secret, of 256 random bits. */
export function generateSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString("base64");
}

/** The id of an event that is a test's. */
export function generateTestId(): string {
  return `test_${randomBytes(12).toString("hex")}`;
}

/** The headers of one message, signed with each of the secrets. @param seconds since the epoch */
export function signedHeaders(
  secrets: readonly string[],
  { id, seconds, body }: { id: string; seconds: number; body: string },
): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64")}`;
  });
  return { "webhook-id": id, "webhook-timestamp": String(seconds), "webhook-signature": signatures.join(" ") };
}
