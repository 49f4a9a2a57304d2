import type { Answer } from "../../../kit/endpoint.ts";
import { errors } from "../../../kit/errors.ts";
import { findInvoice } from "../../../orders/invoices/invoice-queries.ts";
import { invoiceRow } from "../../../orders/invoices/invoice-row.ts";
import { sendSentence } from "../../../orders/invoices/wms-error.ts";
import { whyNotSent } from "../../../orders/wms/may-be-sent.ts";
import { findStanding } from "../../../orders/wms/sending/push-queries.ts";
import { beforeSending } from "../before-sending.ts";
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
    const { deliver_to, goTo, doubts } = await beforeSending(session, invoice);
    const question = `Send invoice ${nameInQuestion(number)} of ${nameInQuestion(company)} to the warehouse?`;
    return {
      question: [question, goTo, ...doubts].join(" "),
      data: {
        invoice_id: args.id,
        number,
        company,
        total,
        currency,
        deliver_to,
      },
      moving: { state, ...(doubts.length > 0 && { doubts }) },
      version: String(version),
    };
  },
  async run(session, args, deps) {
    return await orderResult(session, await session.call(deps, "POST /invoices/{id}/wms-order", { params: args }));
  },
};

/** The result of a tool that sends or cancels an order. */
export async function orderResult(session: AgentSession, answer: Answer): Promise<Answer> {
  const { data } = await session.read<{ data: { id: number; wms: JsonObject } }>(answer);
  const { state, ...order } = data.wms;
  return { status: 200, json: JSON.stringify({ invoice_id: data.id, state, order }) };
}
