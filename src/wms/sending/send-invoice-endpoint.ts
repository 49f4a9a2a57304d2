import { idOf, type Endpoint } from "../../endpoint.ts";
import { errors } from "../../errors.ts";
import { invoiceAnswer } from "../../invoices/invoice-json.ts";
import { findInvoice } from "../../invoices/invoice-queries.ts";
import { sendSentence } from "../../invoices/send-reasons.ts";
import { findStanding } from "./push-queries.ts";
import { queueInvoice } from "./sending-queries.ts";
import { whyNotSent } from "./why-not.ts";

/**
 * POST /api/v1/invoices/{id}/wms-order: queues the invoice for its company's warehouse, once (docs/contract.md 14.8).
 */
export const sendInvoiceEndpoint: Endpoint = async ({ database, keyring, warehouse }, request) => {
  const { tenant } = request.actor;
  const id = idOf("Invoice", request);
  const secrets = { keyring, tenant };
  const queued = warehouse === null ? null : await queueInvoice(tenant, database, id, request.trace);
  if (queued !== null) return invoiceAnswer(202, queued, secrets);
  const standing = await findStanding(tenant, database, id);
  if (standing === null) throw errors.resourceMissing("Invoice", id);
  const why = whyNotSent(standing, warehouse !== null);
  if (why !== null) throw errors.invoiceNotSendable(sendSentence(why));
  const row = await findInvoice(tenant, database, id);
  if (row === null) throw errors.resourceMissing("Invoice", id);
  return invoiceAnswer(200, row, secrets);
};
