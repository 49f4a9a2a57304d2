import { createHmac, hash } from "node:crypto";
import { BoundedMap } from "../bounded-map.ts";
import type { TenantId } from "../postgres/tenant-id.ts";

/**
 * Makes an encrypted phone searchable by keyed digests of its last six and its last nine digits, one after the other
 * (docs/decisions/0052-finding-anything.md). They are the same in every column of a tenant, and differ between tenants.
 */

/** Digits that are needed to find a phone. */
export const FEWEST_DIGITS = 6;
/** The number of last digits that distinguish two phones, however their country code is written. */
export const MOST_DIGITS = 9;

/** In characters of six bits. Six digits have a million values, so more bits would not distinguish more phones. */
const TAIL_LENGTH = 8;
const WHOLE_LENGTH = 11;

/** The digests of a phone with these digits; fewer digits give other digests. */
export function phoneDigests(key: Buffer, tenant: TenantId, digits: string): string {
  const secret = secretOf(key, tenant);
  const [tail, whole] = [digits.slice(-FEWEST_DIGITS), digits.slice(-MOST_DIGITS)];
  return digest(secret, tail, TAIL_LENGTH) + digest(secret, whole, WHOLE_LENGTH);
}

/** The beginning of the digests of a phone that ends with these digits: of nine or more all of them. */
export function phonePrefix(key: Buffer, tenant: TenantId, digits: string): string {
  const digests = phoneDigests(key, tenant, digits);
  return digits.length < MOST_DIGITS ? digests.slice(0, TAIL_LENGTH) : digests;
}

/**
 * A hash over a secret of fixed length and the digits, cut to a quarter: the cut prevents extending it without the
 * secret. It takes a microsecond; an HMAC takes eight.
 */
function digest(secret: string, digits: string, length: number): string {
  return hash("sha256", secret + digits, "base64url").slice(0, length);
}

/** By encryption key and tenant: deriving one costs as much as encrypting. */
const secrets = new WeakMap<Buffer, BoundedMap<string>>();
const REMEMBERED_TENANTS = 10_000;

function secretOf(key: Buffer, tenant: TenantId): string {
  return secrets
    .getOrInsertComputed(key, () => new BoundedMap(REMEMBERED_TENANTS))
    .getOrInsertComputed(tenant, () => {
      return createHmac("sha256", key).update(`liaison:phone-digest:${tenant}`).digest("base64url");
    });
}
