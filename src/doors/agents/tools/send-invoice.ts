import { companyOf } from "../../../customers/companies/pages/company-of.ts";
import { doubtsAbout } from "../../../desk/invoice-pages/ask-to-send.ts";
import type { Answer } from "../../../kit/endpoint.ts";
import { errors } from "../../../kit/errors.ts";
import { findInvoice } from "../../../orders/invoices/invoice-queries.ts";
import { invoiceRow } from "../../../orders/invoices/invoice-row.ts";
import { storedLines } from "../../../orders/invoices/invoice.ts";
import { todayOf } from "../../../orders/invoices/money-queries.ts";
import { deliveryOf, placeIn, type GoodsPlace } from "../../../orders/invoices/pages/delivery.ts";
import { withoutSku } from "../../../orders/invoices/pages/line-table.ts";
import { sendSentence } from "../../../orders/invoices/wms-error.ts";
import { whyNotSent } from "../../../orders/wms/may-be-sent.ts";
import { findStanding } from "../../../orders/wms/sending/push-queries.ts";
import type { RowByName } from "../../../platform/fields/reader.ts";
import { nameInQuestion, sessionSecrets } from "../confirmation.ts";
import { id } from "../schemas.ts";
import type { AgentSession, JsonObject } from "../session.ts";
import type { WritingTool } from "../tool.ts";

export const sendInvoiceTool: WritingTool = {
  name: "send_invoice",
  title: "Send an invoice to the warehouse",
  description:
    "Queues an invoice for its company's warehouse, where it becomes one order, however often you call this. The person " +
    "is asked first. Afterwards explain_order shows the progress of the order.",
  needs: ["wms-orders:write"],
  writes: { isDestructive: false, reachesOut: true },
  input: { id },
  required: ["id"],
  output: {
    invoice_id: id,
    state: { type: "string", description: "queued, or how far it is already." },
    order: { type: "object", description: "The order in the warehouse, once there is one." },
  },
  async preview(session, args) {
    const { deps, actor } = session;
    const invoiceId = String(args.id);
    const row = await findInvoice(actor.tenant, deps.database, invoiceId);
    const standing = await findStanding(actor.tenant, deps.database, invoiceId);
    if (row === null || standing === null) throw errors.resourceMissing("Invoice", invoiceId);
    const why = whyNotSent(standing, deps.warehouse !== null);
    if (why !== null) throw errors.invoiceNotSendable(sendSentence(why));
    const invoice = invoiceRow(row, sessionSecrets(session));
    const { number, total, currency, wms_state: state, edited_at: version } = invoice;
    const company = row.at(-1);
    const { label, address, city } = await placeOf(session, invoice);
    const viewer = {
      tenant: actor.tenant,
      today: String(await todayOf(actor.tenant, deps.database)),
      language: "en",
    } as const;
    const noSku = withoutSku(storedLines(invoice.lines ?? null));
    const doubts = [
      ...(await doubtsAbout(deps, viewer, invoice, "The company")),
      ...(address === null ? ["The warehouse gets no street."] : []),
      ...(noSku > 0 ? [`Lines without a SKU: ${noSku}.`] : []),
    ];
    const question = `Send invoice ${nameInQuestion(number)} of ${nameInQuestion(company)} to the warehouse?`;
    return {
      question: [question, ...doubts].join(" "),
      data: {
        invoice_id: args.id,
        number,
        company,
        total,
        currency,
        deliver_to: { label, address, city },
      },
      moving: { state, ...(doubts.length > 0 && { doubts }) },
      version: String(version),
    };
  },
  async run(session, args, deps) {
    return await orderResult(session, await session.call(deps, "POST /invoices/{id}/wms-order", { params: args }));
  },
};

/** Where the goods of an invoice would go. */
async function placeOf({ deps, actor }: AgentSession, invoice: RowByName): Promise<GoodsPlace> {
  const company = await companyOf(deps, { actor, params: { id: String(invoice.company_id) } });
  const chosen = invoice.delivery_address_id ?? null;
  return placeIn(await deliveryOf(deps, actor.tenant, company, chosen), chosen);
}

/** The result of a tool that sends or cancels an order. */
export async function orderResult(session: AgentSession, answer: Answer): Promise<Answer> {
  const { data } = await session.read<{ data: { id: number; wms: JsonObject } }>(answer);
  const { state, ...order } = data.wms;
  return { status: 200, json: JSON.stringify({ invoice_id: data.id, state, order }) };
}
