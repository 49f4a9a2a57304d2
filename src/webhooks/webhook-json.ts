import { answering, one, type Answer } from "../endpoint.ts";
import type { ColumnName, Secrets } from "../platform/encryption/keyring.ts";
import { membersOf, membersWriter, type Member } from "../platform/fields/json.ts";
import { stateReader } from "../platform/fields/row-state.ts";
import type { Row } from "../platform/postgres/statement.ts";
import { webhook } from "./webhook.ts";

const BODY = "body";

/** The members of every answer, in order. */
export const webhookMembers: readonly Member[] = [
  { name: "id", kind: "number" },
  ...membersOf(
    webhook.table,
    webhook.fields.filter(({ name }) => name !== BODY),
  ),
  { name: "failing_since", kind: "timestamp" },
  { name: "switched_off", kind: "string" },
  { name: "created_at", kind: "timestamp" },
  { name: "updated_at", kind: "timestamp" },
];

/** The columns of a webhook's row, in order, without its secret. */
export const webhookColumns: readonly Member[] = [...webhookMembers, { name: BODY, kind: "string" }];

/** The columns with the secrets of a webhook. */
export const SECRET: ColumnName = "webhooks.secret";
export const PREVIOUS_SECRET: ColumnName = "webhooks.previous_secret";

const webhookState = stateReader(webhookMembers, "updated_at");
export const webhookAnswer = answering(webhookJson, webhookState);

const write = membersWriter(webhookMembers);

/** A webhook, without its secret. */
export function webhookJson(row: Row, secrets: Secrets): string {
  return `{${membersIn(row, secrets)}}`;
}

/** Answers have `body` only if it is not the default, so that those of an earlier release stay as they were. */
function membersIn(row: Row, secrets: Secrets): string {
  const body = row[webhookMembers.length];
  return `${write(row, secrets)}${body === "change" ? "" : `,"${BODY}":${JSON.stringify(body)}`}`;
}

/** The only answer that contains a webhook's secret. */
export function answerWithSecret(status: number, row: Row, secret: string, secrets: Secrets): Answer {
  return one(status, `{${membersIn(row, secrets)},"secret":${JSON.stringify(secret)}}`, webhookState(row));
}
