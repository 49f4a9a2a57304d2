import { idOf, refuseUnwritten, type Endpoint } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { invoiceAnswer } from "./invoice-json.ts";
import { createInvoice } from "./write-invoice.ts";

/** POST /api/v1/companies/{company}/invoices (docs/contract.md 14.1 and 14.4). */
export const createInvoiceEndpoint: Endpoint = async (deps, request) => {
  const { actor, input, trace } = request;
  const companyId = idOf("Company", request, "company");
  const written = await createInvoice(deps, actor, companyId, input, trace);
  refuseUnwritten(written, "Company", companyId);
  if (written.outcome === "number-taken") throw errors.invoiceNumberTaken(written.holder);
  return invoiceAnswer(201, written.row, { keyring: deps.keyring, tenant: actor.tenant });
};
