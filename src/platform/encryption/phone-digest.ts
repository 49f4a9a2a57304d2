import { createHmac, hash } from "node:crypto";
import { BoundedMap } from "../bounded-map.ts";
import type { TenantId } from "../postgres/tenant-id.ts";

/**
 * How a phone is found that is stored encrypted: by keyed digests of its last six and its last nine digits, one behind the other
 * (docs/decisions/0052-finding-anything.md). They are the same in every column of a tenant, and in no two tenants.
 */

/** Digits that are needed to find a phone. */
export const FEWEST_DIGITS = 6;
/** Digits that tell two phones apart, however their country is written before them. */
export const MOST_DIGITS = 9;

/** In characters of six bits. Of six digits there are a million: more bits would tell nobody apart. */
const TAIL_LENGTH = 8;
const WHOLE_LENGTH = 11;

/** The digits of a phone, in whatever way it is written. */
export function digitsOf(phone: string): string {
  return phone.replaceAll(/\D/g, "");
}

/** The digests of a phone with these digits, fewer of which make others. */
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

/** Whether a stored phone has its digests behind it: those that were stored before there were any have none. */
export function hasDigests(stored: string): boolean {
  return /=[^=]/.test(stored);
}

/**
 * A hash behind a secret of its own length, cut to a quarter: what could be appended to the digits without knowing the secret is
 * not at hand. It takes a microsecond, where an HMAC takes eight.
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
