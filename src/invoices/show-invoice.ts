import { found, type Endpoint } from "../endpoint.ts";
import { invoiceWithCompanyAnswer } from "./invoice-json.ts";
import { findInvoice } from "./invoice-queries.ts";

/** GET /api/v1/invoices/{id}, with its lines and its company's id and name (docs/contract.md 14.1). */
export const showInvoiceEndpoint: Endpoint = async ({ database, keyring }, request) => {
  const { tenant } = request.actor;
  const row = await found("Invoice", request, async (id) => await findInvoice(tenant, database, id));
  return invoiceWithCompanyAnswer(200, row, { keyring, tenant });
};
