import { address } from "../addresses/address.ts";
import { keptCompany } from "../companies/company-columns.ts";
import { companyJson, companyState } from "../companies/company-json.ts";
import { childJson } from "../company-children/child-json.ts";
import { keptChild } from "../company-children/child-queries.ts";
import { contact } from "../contacts/contact.ts";
import { one, type Answer } from "../endpoint.ts";
import { invoiceJson, invoiceState } from "../invoices/invoice-json.ts";
import { keptInvoice } from "../invoices/invoice-queries.ts";
import type { Secrets } from "../platform/encryption/keyring.ts";
import type { KeptRow } from "../platform/fields/keeping.ts";
import type { RowState } from "../platform/fields/row-state.ts";
import type { Row } from "../platform/postgres/statement.ts";
import { deliveryJson, deliveryState, keptDelivery } from "../webhooks/delivery-json.ts";
import { keptWebhook, webhookJson, webhookState } from "../webhooks/webhook-json.ts";

/** A kind of row that answers are made of. */
export type KeptKind = {
  /** The columns of the row, in order. */
  names: readonly string[];
  answer: (status: number, row: Row, secrets: Secrets) => Answer;
};

/** Every kind of row that is kept, by its name. */
export const keptKinds: ReadonlyMap<string, KeptKind> = new Map([
  kind(keptCompany, companyJson, companyState),
  ...[contact, address].map((child) => {
    const json = childJson(child);
    return kind(
      keptChild(child),
      (row, secrets) => json.one(row, secrets),
      (row) => json.state(row),
    );
  }),
  kind(keptInvoice, invoiceJson, invoiceState),
  kind(keptWebhook, webhookJson, webhookState),
  kind(keptDelivery, deliveryJson, deliveryState),
]);

function kind(
  { kind: name, columns }: KeptRow,
  json: (row: Row, secrets: Secrets) => string,
  state: (row: Row) => RowState,
): [string, KeptKind] {
  const answer: KeptKind["answer"] = (status, row, secrets) => one(status, json(row, secrets), state(row));
  return [name, { names: Object.keys(columns("w")), answer }];
}
