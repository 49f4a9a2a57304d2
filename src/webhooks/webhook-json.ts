import { answering, one, type Answer } from "../endpoint.ts";
import type { ColumnName, Secrets } from "../platform/encryption/keyring.ts";
import { membersOf, membersWriter, type Member } from "../platform/fields/json.ts";
import { stateReader } from "../platform/fields/row-state.ts";
import type { Row } from "../platform/postgres/statement.ts";
import { webhook } from "./webhook.ts";

/** The columns of a webhook's row, in order, without its secret. */
export const webhookMembers: readonly Member[] = [
  { name: "id", kind: "number" },
  ...membersOf(webhook.table, webhook.fields),
  { name: "failing_since", kind: "timestamp" },
  { name: "switched_off", kind: "string" },
  { name: "created_at", kind: "timestamp" },
  { name: "updated_at", kind: "timestamp" },
];

/** The columns with the secrets of a webhook. */
export const SECRET: ColumnName = "webhooks.secret";
export const PREVIOUS_SECRET: ColumnName = "webhooks.previous_secret";

const webhookState = stateReader(webhookMembers, "updated_at");
export const webhookAnswer = answering(webhookJson, webhookState);

const write = membersWriter(webhookMembers);

/** A webhook, without its secret. */
export function webhookJson(row: Row, secrets: Secrets): string {
  return `{${write(row, secrets)}}`;
}

/** The only answer that contains a webhook's secret. */
export function answerWithSecret(status: number, row: Row, secret: string, secrets: Secrets): Answer {
  return one(status, `{${write(row, secrets)},"secret":${JSON.stringify(secret)}}`, webhookState(row));
}
