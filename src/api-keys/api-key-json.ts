import { isoTimestamp } from "../platform/dates.ts";
import type { Row } from "../platform/postgres/statement.ts";

/** A key as it is listed (decisions 9): never the secret, nor its hash. From a row of the `listed` columns. */
export function apiKeyJson([id, name, prefix, last4, capabilities, expiresAt, allowIp, rate, usedAt, revokedAt]: Row) {
  const timestamp = (text: string | null | undefined) => (text == null ? null : isoTimestamp(text));
  return {
    id: Number(id),
    name: String(name),
    prefix: String(prefix),
    last4: String(last4),
    capabilities: JSON.parse(String(capabilities)) as string[],
    expires_at: timestamp(expiresAt),
    allow_ip: JSON.parse(String(allowIp)) as string[],
    rate: rate == null ? null : Number(rate),
    last_used_at: timestamp(usedAt),
    revoked_at: timestamp(revokedAt),
  };
}
