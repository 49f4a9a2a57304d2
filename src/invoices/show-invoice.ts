import { idOf, one, type Endpoint } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { invoiceState, invoiceWithCompanyJson } from "./invoice-json.ts";
import { findInvoice } from "./invoice-queries.ts";

/** GET /api/v1/invoices/{id}, with its lines and its company's id and name (docs/contract.md 14.1). */
export const showInvoiceEndpoint: Endpoint = async ({ database, keyring }, request) => {
  const { tenant } = request.actor;
  const id = idOf("Invoice", request);
  const row = await findInvoice(tenant, database, id);
  if (row === null) throw errors.resourceMissing("Invoice", id);
  return one(200, invoiceWithCompanyJson(row, { keyring, tenant }), invoiceState(row));
};
