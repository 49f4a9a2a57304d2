import type { Answer } from "../endpoint.ts";
import { errors } from "../errors.ts";
import type { ColumnName, Secrets } from "../platform/encryption/keyring.ts";
import { ERASED, type KeptAnswer } from "./kept-answer-queries.ts";

const COLUMN: ColumnName = "kept_answers.secret";

/** An answer as it is stored: encrypted, because it may hold what its own table encrypts. */
export function sealed({ json, etag }: Answer, { keyring, tenant }: Secrets): string {
  return keyring.encrypt(tenant, COLUMN, JSON.stringify({ json, etag }));
}

/**
 * The answer that was stored. Throws resourceMissing where it showed a contact who was erased since, and idempotencyKeyReused where
 * an older release stored it in its own form.
 */
export function storedAnswer({ status, resource, secret }: KeptAnswer, { keyring, tenant }: Secrets): Answer {
  if (status === ERASED) throw errors.resourceMissing("Contact", String(resource));
  if (secret === null) throw errors.idempotencyKeyReused();
  return { ...(JSON.parse(keyring.decrypt(tenant, COLUMN, secret)) as Answer), status };
}
