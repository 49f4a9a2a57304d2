import { address } from "../addresses/address.ts";
import { keptCompany } from "../companies/company-columns.ts";
import { companyAnswer } from "../companies/company-json.ts";
import { childJson } from "../company-children/child-json.ts";
import { keptChild } from "../company-children/child-queries.ts";
import { contact } from "../contacts/contact.ts";
import type { Answer } from "../endpoint.ts";
import { invoiceAnswer } from "../invoices/invoice-json.ts";
import { keptInvoice } from "../invoices/invoice-queries.ts";
import type { Secrets } from "../platform/encryption/keyring.ts";
import type { KeptRow } from "../platform/fields/keeping.ts";
import type { Row } from "../platform/postgres/statement.ts";
import { deliveryAnswer, keptDelivery } from "../webhooks/delivery-json.ts";
import { keptWebhook, webhookAnswer } from "../webhooks/webhook-json.ts";

/** A kind of row that answers are made of. */
export type KeptKind = {
  /** The columns of the row, in order. */
  names: readonly string[];
  answer: (status: number, row: Row, secrets: Secrets) => Answer;
};

/** Every kind of row that is kept, by its name. */
export const keptKinds: ReadonlyMap<string, KeptKind> = new Map([
  kind(keptCompany, companyAnswer),
  ...[contact, address].map((child) => kind(keptChild(child), childJson(child).answer)),
  kind(keptInvoice, invoiceAnswer),
  kind(keptWebhook, webhookAnswer),
  kind(keptDelivery, deliveryAnswer),
]);

function kind({ kind: name, columns }: KeptRow, answer: KeptKind["answer"]): [string, KeptKind] {
  return [name, { names: Object.keys(columns("w")), answer }];
}
