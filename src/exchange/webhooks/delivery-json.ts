import { answering } from "../../kit/endpoint.ts";
import type { Secrets } from "../../platform/encryption/keyring.ts";
import { membersWriter, type Member } from "../../platform/fields/json.ts";
import { stateReader } from "../../platform/fields/row-state.ts";
import type { Row } from "../../platform/postgres/statement.ts";
import { failureSentences, type DeliveryFailure } from "./failure.ts";

/** The columns of a delivery's row, in order. */
export const deliveryMembers: readonly Member[] = [
  { name: "id", kind: "number" },
  { name: "change_id", kind: "number" },
  { name: "type", kind: "string" },
  { name: "attempts", kind: "number" },
  { name: "last_status", kind: "number" },
  { name: "last_error", kind: "string" },
  { name: "delivered_at", kind: "timestamp" },
  { name: "next_at", kind: "timestamp" },
  { name: "created_at", kind: "timestamp" },
];

const at = (name: string) => deliveryMembers.findIndex((member) => member.name === name);
const [STATUS, ERROR] = [at("last_status"), at("last_error")];

const deliveryState = stateReader(deliveryMembers, "created_at");
export const deliveryAnswer = answering(deliveryJson, deliveryState);

const write = membersWriter(deliveryMembers);

export function deliveryJson(row: Row, secrets: Secrets): string {
  const failure = row[ERROR] as DeliveryFailure | null | undefined;
  const sentence = failure == null ? null : failureSentences.en[failure](row[STATUS] ?? "");
  return `{${write(row.with(ERROR, sentence), secrets)}}`;
}
