import { createHmac, randomBytes } from "node:crypto";

/** The format of Standard Webhooks 1.0.0, so that all its libraries verify the signatures. */
const PREFIX = "whsec_";
const SECRET_BYTES = 32;

/** A new secret with 256 random bits. */
export function generateSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString("base64");
}

export function isSecret(text: string): boolean {
  return /^whsec_[A-Za-z0-9+/]{16,}={0,2}$/.test(text);
}

/** The event id of a test. */
export function generateTestId(): string {
  return `test_${randomBytes(12).toString("hex")}`;
}

/** The headers of one message, with a signature for each secret. @param seconds since the epoch */
export function messageHeaders(
  secrets: readonly string[],
  { id, seconds, body }: { id: string; seconds: number; body: string },
): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64")}`;
  });
  return {
    "content-type": "application/json",
    "user-agent": "Liaison",
    "webhook-id": id,
    "webhook-timestamp": String(seconds),
    "webhook-signature": signatures.join(" "),
  };
}
