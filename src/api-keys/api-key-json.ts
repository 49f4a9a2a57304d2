import { isoOrNull } from "../platform/dates.ts";
import type { ListedKey } from "./api-key-queries.ts";

/** A key as the command line lists it (docs/operations.md 3.2): never the secret, nor its hash. */
export function apiKeyJson({ id, name, prefix, last4, capabilities, allowIp, rate, ...times }: ListedKey) {
  return {
    id,
    name,
    prefix,
    last4,
    capabilities,
    expires_at: isoOrNull(times.expiresAt),
    allow_ip: allowIp,
    rate,
    last_used_at: isoOrNull(times.lastUsedAt),
    revoked_at: isoOrNull(times.revokedAt),
  };
}
