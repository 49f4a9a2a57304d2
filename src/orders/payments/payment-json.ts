import { answering } from "../../kit/endpoint.ts";
import { externalIncluded } from "../../kit/external-ids/include-external.ts";
import type { Secrets } from "../../platform/encryption/keyring.ts";
import { externalMember } from "../../platform/fields/external-ids.ts";
import { membersOf, membersWriter, TIMESTAMPS, type Member } from "../../platform/fields/json.ts";
import { membersReader } from "../../platform/fields/reader.ts";
import { stateReader } from "../../platform/fields/row-state.ts";
import type { Row } from "../../platform/postgres/statement.ts";
import { payment } from "./payment.ts";

const answered: readonly Member[] = [
  { name: "id", kind: "number" },
  { name: "invoice_id", kind: "number" },
  { name: "company_id", kind: "number" },
  ...membersOf(payment.table, payment.fields),
  ...TIMESTAMPS.filter(({ name }) => name !== "deleted_at"),
];

/** The columns of a payment's row. */
export const paymentMembers: readonly Member[] = [...answered, externalMember];

const write = membersWriter(answered);

/** A payment, in lists and alone. */
export function paymentJson(row: Row, secrets: Secrets): string {
  return `{${write(row, secrets)}}`;
}

export const paymentAnswer = answering(paymentJson, stateReader(answered, "updated_at"));
export const includedInPayment = externalIncluded(paymentMembers);

/** A payment by column name. */
export const paymentRow = membersReader(paymentMembers);
