import type { Database } from "../../platform/postgres/database.ts";
import { hasCode, isUniqueViolation } from "../../platform/postgres/failures.ts";
import { callsOf, quickQuery, slowQuery, stepQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Call, type Selected, type Statement } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import type { Answer } from "../endpoint.ts";
import type { KeyedRequest } from "./keyed-request.ts";

const claimStatement: Statement = { name: "claim_answers", text: "select claim_answers($1, $2)" };

/** The call that claims the key for its transaction, before anything is written there. */
export function claim({ apiKey, key }: KeyedRequest): Call {
  return { statement: claimStatement, parameters: [], entries: [{ kept_api_key: apiKey, kept_key: key }] };
}

const storeStatement: Statement = {
  name: "store_answers",
  text: `insert into kept_answers (tenant_id, api_key_id, key, request, status, kind, resource_id, secret)
    select $1::bigint, e.api_key, e.key, decode(e.request, 'hex'), e.status, e.kind, e.resource, e.secret
    from json_to_recordset($2) as e (
      api_key bigint, key text, request text, status smallint, kind text, resource bigint, secret text
    ) returning id`,
};

/** The call that stores an answer. @param secret the answer, encrypted */
export function store({ apiKey, key, request }: KeyedRequest, { status, shows }: Answer, secret: string): Call {
  const { type: kind = null, id: resource = null } = shows ?? {};
  const entry = { api_key: apiKey, key, request, status, kind, resource, secret };
  return { statement: storeStatement, parameters: [], entries: [entry] };
}

/** Stores the answer to a request that wrote nothing. */
export async function storeAnswer(
  tenant: TenantId,
  database: Database,
  keyed: KeyedRequest,
  answer: Answer,
  secret: string,
): Promise<void> {
  await database.write(tenant, [claim(keyed), store(keyed, answer, secret)]);
}

/** Whether claim_answers() failed because another transaction has claimed the key. */
export function isInProgress(error: unknown): boolean {
  return hasCode(error, "LN002");
}

/** Whether the key has an answer already. The unique index decides, when a second answer would be stored. */
export function isAnswered(error: unknown): boolean {
  return isUniqueViolation(error, "kept_answers_tenant_id_api_key_id_key_key");
}

/** We promise 24 hours after the answer. These count from the beginning of the transaction that stored it. */
const STORED_FOR = "25 hours";

/** The call that removes the oldest of the answers that are too old. Its last parameter is a limit (in-steps.ts). */
export const forgetOldestAnswers = callsOf(
  "forget_stored_answers",
  `delete from kept_answers where tenant_id = $1 and id = any(array(
    select id from kept_answers where tenant_id = $1 and at < now() - interval '${STORED_FOR}'
    order by at limit $2
  )) returning id`,
  { isSilent: true },
)();

export const hasStoredAnswers = quickQuery(
  "has_stored_answers",
  "select 1 from kept_answers where tenant_id = $1 limit 1",
).exists();

const columns = selectList({
  request: column.text("encode(request, 'hex')"),
  at: column.text("at"),
  status: column.number("status"),
  resource: "resource_id",
  secret: "secret",
});

/** `secret` is null if the answer showed a contact who was erased later. */
export type StoredAnswer = Selected<typeof columns>;

/** The stored answer of a key; null without one. */
export const findStoredAnswer = quickQuery<Pick<KeyedRequest, "apiKey" | "key">>(
  "find_stored_answer",
  `select ${columns.sql} from kept_answers where tenant_id = $1 and api_key_id = :apiKey and key = :key`,
).first(columns.read);

/** The call that finds the ids of the answers that show a contact. */
export const findingAnswersOf = callsOf<[contact: string]>(
  "stored_answers_of_contact",
  "select id from kept_answers where tenant_id = $1 and kind = 'contact' and resource_id = $2::bigint",
);

/** Answers by their ids. */
export const wholeAnswers = slowQuery<[ids: string[]]>(
  "whole_answers",
  `select ${columns.sql} from kept_answers where tenant_id = $1 and id = any($2::bigint[]) order by id`,
).all(columns.read);

/** The status of an answer that showed a contact who was erased since. Its key stays used. */
export const ERASED = 404;

/** Erases answers by their ids. Returns their number. */
export const eraseAnswers = stepQuery<[ids: readonly string[]]>(
  "erase_stored_answers",
  `update kept_answers set status = ${ERASED}, secret = null
  where tenant_id = $1 and id = any($2::bigint[]) returning id`,
).count();
