import { keptAnswers, KEPT_CIPHERTEXTS } from "../platform/fields/keeping.ts";
import type { Database } from "../platform/postgres/database.ts";
import { hasCode, isUniqueViolation } from "../platform/postgres/failures.ts";
import { selectList, type Call, type Entry, type Statement } from "../platform/postgres/statement.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";
import type { Once } from "./once.ts";

const claimStatement: Statement = { name: "claim_answers", text: "select claim_answers($1, $2)" };

/** The call that claims the key for its transaction, before anything is written there. */
export function claim({ apiKey, key }: Once): Call {
  return { statement: claimStatement, parameters: [], entries: [{ kept_api_key: apiKey, kept_key: key }] };
}

/** The entry by which an answer is kept. @param secret the whole answer, encrypted, where it is made of no row */
export function keptEntry({ apiKey, key, request, status }: Once, secret: string | null): Entry {
  return { kept_api_key: apiKey, kept_key: key, kept_request: request, kept_status: status, kept_secret: secret };
}

const keepStatement: Statement = {
  name: "keep_answers",
  text: `with told as (select place as id from json_array_elements($2) with ordinality as e (entry, place)),
    ${keptAnswers({ of: "told", parameter: 2, row: null })} select id from kept`,
};

/** The call that keeps an answer by itself. @param secret as keptEntry has it */
export function keep(once: Once, secret: string): Call {
  return { statement: keepStatement, parameters: [], entries: [keptEntry(once, secret)] };
}

/** Keeps the answer to a request that had nothing to write. */
export async function keepAnswer(tenant: TenantId, database: Database, once: Once, secret: string): Promise<void> {
  await database.write(tenant, [claim(once), keep(once, secret)]);
}

/** Whether claim_answers() has said that another transaction has the key. */
export function isInProgress(error: unknown): boolean {
  return hasCode(error, "LN002");
}

/** Whether the key is answered already: the index decides, in the statement that would keep another answer. */
export function isAnswered(error: unknown): boolean {
  return isUniqueViolation(error, "kept_answers_tenant_id_api_key_id_key_key");
}

/** Promised are 24 hours from the answer on; these are from the beginning of the transaction that kept it. */
const KEPT = "25 hours";

const forgetStatement: Statement = {
  name: "forget_kept_answers",
  text: `delete from kept_answers where tenant_id = $1 and id = any(array(
    select id from kept_answers where tenant_id = $1 and at < now() - interval '${KEPT}'
    order by at limit $2
  )) returning id`,
  isNoNews: true,
};

/** The call that removes up to so many, its last parameter, of the answers that are too old, the oldest first (in-steps.ts). */
export const forgetOldestAnswers: Call = { statement: forgetStatement, parameters: [] };

const anyStatement: Statement = {
  name: "any_kept_answer",
  text: "select 1 from kept_answers where tenant_id = $1 limit 1",
};

export async function hasKeptAnswers(tenant: TenantId, database: Database): Promise<boolean> {
  const rows = await database.quick.read(tenant, anyStatement);
  return rows.length > 0;
}

const kept = selectList<Record<string, string>>({
  request: "encode(request, 'hex')",
  at: "at",
  status: "status",
  kind: "kind",
  answer: "answer",
  secret: "secret",
  ...Object.fromEntries(KEPT_CIPHERTEXTS.map((name) => [name, name])),
});

const findStatement: Statement = {
  name: "find_kept_answer",
  text: `select ${kept.sql} from kept_answers where tenant_id = $1 and api_key_id = $2 and key = $3`,
};

export type KeptAnswer = Record<string, string | null>;

/** The answer that a key was given, or null. */
export async function findKeptAnswer(tenant: TenantId, database: Database, once: Once): Promise<KeptAnswer | null> {
  return kept.first(await database.quick.read(tenant, findStatement, [once.apiKey, once.key]));
}

/** The ids of the answers that tell of a contact. */
export const answersOfContact: Statement = {
  name: "kept_answers_of_contact",
  // Those of the release before do not name their row beside the answer, which begins with its id.
  text: `select id from kept_answers where tenant_id = $1 and kind = 'contact' and resource_id = $2::bigint
    union all
    select id from kept_answers where tenant_id = $1 and kind = 'contact' and resource_id is null
      and split_part(answer, '"', 4) = $2::bigint::text`,
};

const wholeStatement: Statement = {
  name: "whole_kept_answers",
  text: `select ${kept.sql} from kept_answers where tenant_id = $1 and id = any($2::bigint[]) order by id`,
};

/** Answers by their ids. */
export async function wholeAnswers(tenant: TenantId, database: Database, ids: string[]): Promise<KeptAnswer[]> {
  return (await database.slow.read(tenant, wholeStatement, [ids])).map(kept.read);
}

/** The status of an answer that told of a contact who was erased since: of the row only its id is kept, and the key stays used. */
export const ERASED = 404;

export const eraseAnswersStatement: Statement = {
  name: "erase_kept_answers",
  text: `update kept_answers set status = ${ERASED}, answer = $3, phone = null, mobile = null
  where tenant_id = $1 and id = any($2::bigint[]) returning id`,
};
