import type { ColumnName, Secrets } from "../../platform/encryption/keyring.ts";
import type { Answer } from "../endpoint.ts";
import { errors } from "../errors.ts";
import type { StoredAnswer } from "./stored-answer-queries.ts";

const COLUMN: ColumnName = "kept_answers.secret";

/** An answer, encrypted for storage: it may contain values that their own table encrypts. */
export function sealed({ json, etag }: Answer, { keyring, tenant }: Secrets): string {
  return keyring.encrypt(tenant, COLUMN, JSON.stringify({ json, etag }));
}

/** The decrypted answer. Throws resourceMissing if it showed a contact who was erased later. */
export function storedAnswer({ status, resource, secret }: StoredAnswer, { keyring, tenant }: Secrets): Answer {
  if (secret === null) throw errors.resourceMissing("Contact", String(resource));
  return { ...(JSON.parse(keyring.decrypt(tenant, COLUMN, secret)) as Answer), status };
}
