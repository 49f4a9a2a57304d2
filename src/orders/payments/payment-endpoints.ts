import type { Deps } from "../../kit/deps.ts";
import { deletionAnswer, found, idOf, withMembers, type Endpoint } from "../../kit/endpoint.ts";
import { errors } from "../../kit/errors.ts";
import { listEndpoint, type ApiList } from "../../kit/list-endpoint.ts";
import { changedBy } from "../../platform/fields/writer.ts";
import { expectedVersions } from "../../platform/http/entity-tag.ts";
import type { Row } from "../../platform/postgres/statement.ts";
import { invoiceExists } from "../invoices/invoice-queries.ts";
import { includedInPayment, paymentAnswer, paymentJson } from "./payment-json.ts";
import { deletePayment, findPayment } from "./payment-queries.ts";
import { invoicePaymentReads, paymentReads } from "./payment-reads.ts";
import { createPayment } from "./write-payment.ts";

/** The name in messages. */
const MODEL = "Payment";
/** Maximum memory of a payment in a list. */
const PAYMENT_BYTES = 4 * 1024;

const listed = {
  type: "payment",
  bytesOf: ({ perPage }) => perPage * PAYMENT_BYTES,
  itemsOf({ keyring }: Deps, { actor: { tenant }, query }) {
    const included = includedInPayment(query);
    return (rows: Row[]) => rows.map((row) => withMembers(paymentJson(row, { keyring, tenant }), included(row)));
  },
} satisfies Partial<ApiList<{}, string>>;

const invoiceInPath = {
  model: "Invoice",
  parameter: "invoice",
  async require(...[tenant, database, id]: Parameters<typeof invoiceExists>) {
    if (!(await invoiceExists(tenant, database, id))) throw errors.resourceMissing("Invoice", id);
  },
};

/** GET /api/v1/payments: the payments of all invoices (docs/contract.md 14.9). */
export const listPaymentsEndpoint = listEndpoint({ ...listed, reads: paymentReads });

/** GET /api/v1/invoices/{invoice}/payments. */
export const listInvoicePaymentsEndpoint = listEndpoint({
  ...listed,
  reads: invoicePaymentReads,
  parent: invoiceInPath,
});

/** POST /api/v1/invoices/{invoice}/payments. */
export const createPaymentEndpoint: Endpoint = async (deps, request) => {
  const { actor, input, query } = request;
  const invoice = idOf("Invoice", request, "invoice");
  const written = await createPayment(deps, actor, invoice, input);
  switch (written.outcome) {
    case "missing":
      throw errors.resourceMissing("Invoice", invoice);
    case "invalid": {
      await invoiceInPath.require(actor.tenant, deps.database, invoice);
      throw errors.validationFailed(written.messages);
    }
    case "draft":
    case "cancelled":
      throw errors.paymentRefused(written.outcome);
    case "taken":
      throw errors.externalIdTaken(written.holder);
    default:
      return paymentAnswer(201, written.row, { keyring: deps.keyring, tenant: actor.tenant }, includedInPayment(query));
  }
};

/** GET /api/v1/payments/{id}. */
export const showPaymentEndpoint: Endpoint = async ({ database, keyring }, request) => {
  const { tenant } = request.actor;
  const row = await found(MODEL, request, async (id) => await findPayment(tenant, database, id));
  return paymentAnswer(200, row, { keyring, tenant }, includedInPayment(request.query));
};

/** DELETE /api/v1/payments/{id}: the invoice is then paid by its other payments. */
export const deletePaymentEndpoint: Endpoint = async ({ database }, request) => {
  const id = idOf(MODEL, request);
  const { actor, ifMatch } = request;
  const expected = expectedVersions(ifMatch, id);
  const isDeleted = await deletePayment(actor.tenant, database, id, changedBy(actor), expected);
  const exists = async () => (await findPayment(actor.tenant, database, id)) !== null;
  return await deletionAnswer(isDeleted, { model: MODEL, id, expected }, exists);
};
