import { answering, one, type Answer } from "../../kit/endpoint.ts";
import type { ColumnName, Secrets } from "../../platform/encryption/keyring.ts";
import { membersOf, membersWriter, type Member } from "../../platform/fields/json.ts";
import { stateReader } from "../../platform/fields/row-state.ts";
import type { Row } from "../../platform/postgres/statement.ts";
import { webhook } from "./webhook.ts";

/** The fields that answers have only if they are not the default: answers of an earlier release stay as they were. */
const sometimes: readonly Member[] = [
  { name: "body", kind: "string" },
  { name: "children", kind: "boolean" },
];
export const sometimesMembers = sometimes.map(({ name }) => name);
const DEFAULTS = { body: "change", children: "f" } as const;

/** The members of every answer, in order. */
export const webhookMembers: readonly Member[] = [
  { name: "id", kind: "number" },
  ...membersOf(
    webhook.table,
    webhook.fields.filter(({ name }) => !sometimesMembers.includes(name)),
  ),
  { name: "failing_since", kind: "timestamp" },
  { name: "switched_off", kind: "string" },
  { name: "created_at", kind: "timestamp" },
  { name: "updated_at", kind: "timestamp" },
];

/** The columns of a webhook's row, in order, without its secret. */
export const webhookColumns: readonly Member[] = [...webhookMembers, ...sometimes];

/** The columns with the secrets of a webhook. */
export const SECRET: ColumnName = "webhooks.secret";
export const PREVIOUS_SECRET: ColumnName = "webhooks.previous_secret";

const webhookState = stateReader(webhookMembers, "updated_at");
export const webhookAnswer = answering(webhookJson, webhookState);

const write = membersWriter(webhookMembers);

/** Whether its messages have the whole resource. */
export function isFull(row: Row): boolean {
  return row[webhookMembers.length] === "full";
}

/** A webhook, without its secret. */
export function webhookJson(row: Row, secrets: Secrets): string {
  return `{${membersIn(row, secrets)}}`;
}

function membersIn(row: Row, secrets: Secrets): string {
  const [body, children] = row.slice(webhookMembers.length);
  return [
    write(row, secrets),
    ...(body === DEFAULTS.body ? [] : [`"body":${JSON.stringify(body)}`]),
    ...(children === DEFAULTS.children ? [] : [`"children":true`]),
  ].join(",");
}

/** The only answer that contains a webhook's secret. */
export function answerWithSecret(status: number, row: Row, secret: string, secrets: Secrets): Answer {
  return one(status, `{${membersIn(row, secrets)},"secret":${JSON.stringify(secret)}}`, webhookState(row));
}
