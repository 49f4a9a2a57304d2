import { isoTimestamp } from "../platform/dates.ts";
import type { ListedKey } from "./api-key-queries.ts";

/** A key as the command line lists it (docs/operations.md 3.2): never the secret, nor its hash. */
export function apiKeyJson({ id, name, prefix, last4, capabilities, allowIp, rate, ...times }: ListedKey) {
  const timestamp = (text: string | null) => (text === null ? null : isoTimestamp(text));
  return {
    id,
    name,
    prefix,
    last4,
    capabilities,
    expires_at: timestamp(times.expiresAt),
    allow_ip: allowIp,
    rate,
    last_used_at: timestamp(times.lastUsedAt),
    revoked_at: timestamp(times.revokedAt),
  };
}
