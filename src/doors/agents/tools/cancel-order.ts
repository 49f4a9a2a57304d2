import { errors } from "../../../kit/errors.ts";
import { findInvoice } from "../../../orders/invoices/invoice-queries.ts";
import { invoiceRow } from "../../../orders/invoices/invoice-row.ts";
import { sendSentence } from "../../../orders/invoices/wms-error.ts";
import { cancellableAt, whyNotCancelled } from "../../../orders/wms/cancelling/cancel-order.ts";
import { findCancellable } from "../../../orders/wms/cancelling/cancel-queries.ts";
import { nameInQuestion, sessionSecrets } from "../confirmation.ts";
import { id } from "../schemas.ts";
import type { WritingTool } from "../tool.ts";
import { orderResult, sendInvoiceTool } from "./send-invoice.ts";

export const cancelOrderTool: WritingTool = {
  name: "cancel_order",
  title: "Cancel the order of a cancelled invoice in the warehouse",
  description:
    "Has the warehouse asked to cancel the order of an invoice that is cancelled, however often you call this. The person " +
    "is asked first. Afterwards explain_order shows whether the warehouse did.",
  needs: ["wms-orders:write"],
  writes: { isDestructive: true, reachesOut: true },
  input: { id },
  required: ["id"],
  output: sendInvoiceTool.output,
  async preview(session, args) {
    const { deps, actor } = session;
    const invoiceId = String(args.id);
    const row = await findInvoice(actor.tenant, deps.database, invoiceId);
    const found = await findCancellable(actor.tenant, deps.database, invoiceId);
    if (row === null || found === null) throw errors.resourceMissing("Invoice", invoiceId);
    const subdomain = found.shown === "cancelled_here" ? await cancellableAt(deps, actor.tenant, invoiceId) : null;
    const why = subdomain === null ? whyNotCancelled(deps, found) : null;
    if (why !== null) throw errors.orderNotCancellable(sendSentence(why));
    const { number, wms_order_number: order, wms_status: status } = invoiceRow(row, sessionSecrets(session));
    const company = row.at(-1);
    return {
      question: `Cancel the warehouse's order of invoice ${nameInQuestion(number)} of ${nameInQuestion(company)}?`,
      data: { invoice_id: args.id, number, company, order },
      moving: { status },
      version: `${found.orderId} ${found.shown}`,
    };
  },
  async run(session, args, deps) {
    return await orderResult(
      session,
      await session.call(deps, "POST /invoices/{id}/wms-order/cancel", { params: args }),
    );
  },
};
