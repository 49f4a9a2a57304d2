import type { Answer } from "../endpoint.ts";
import { errors } from "../errors.ts";
import type { Secrets } from "../platform/encryption/keyring.ts";
import type { Said } from "../platform/postgres/database.ts";
import { ERASED, type KeptAnswer } from "./kept-answer-queries.ts";
import { keptKinds } from "./kinds.ts";

const COLUMN = "kept_answers.secret";

/** An answer that is made of no row: as a ciphertext, since nobody knows what is in it. */
export function sealed({ json, etag }: Said, { keyring, tenant }: Secrets): string {
  return keyring.encrypt(tenant, COLUMN, JSON.stringify({ json, etag }));
}

/** The answer that was kept, made as it was the first time. Throws resourceMissing where it told of somebody who is erased. */
export function keptAnswer(kept: KeptAnswer, secrets: Secrets): Answer {
  const status = Number(kept.status);
  if (kept.kind === null) {
    const { keyring, tenant } = secrets;
    return { ...(JSON.parse(keyring.decrypt(tenant, COLUMN, String(kept.secret))) as Answer), status };
  }
  const kind = keptKinds.get(String(kept.kind));
  if (kind === undefined) throw new Error(`no kind of row is called ${kept.kind}`);
  const columns = { ...kept, ...(JSON.parse(String(kept.answer)) as Record<string, string>) };
  if (status === ERASED) throw errors.resourceMissing("Contact", String(columns.id));
  // A column that a release before did not have is null.
  const row = kind.names.map((name) => columns[name] ?? null);
  return kind.answer(status, row, secrets);
}
