import { idOf, refuseUnwritten, type Endpoint } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { expectedVersions } from "../platform/http/entity-tag.ts";
import { invoiceAnswer } from "./invoice-json.ts";
import { updateInvoice } from "./write-invoice.ts";

/** PUT /api/v1/invoices/{id}: a partial update (docs/contract.md 4.5, 14.4 and 14.6). */
export const updateInvoiceEndpoint: Endpoint = async (deps, request) => {
  const { actor, input, trace } = request;
  const id = idOf("Invoice", request);
  const written = await updateInvoice(deps, actor, id, input, expectedVersions(request.ifMatch, id), trace);
  refuseUnwritten(written, "Invoice", id);
  if (written.outcome === "sent") throw errors.invoiceSent();
  if (written.outcome === "number-taken") throw errors.invoiceNumberTaken(written.holder);
  return invoiceAnswer(200, written.row, { keyring: deps.keyring, tenant: actor.tenant });
};
