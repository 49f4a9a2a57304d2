import { errors } from "../../../kit/errors.ts";
import { findInvoice } from "../../../orders/invoices/invoice-queries.ts";
import { invoiceRow } from "../../../orders/invoices/invoice-row.ts";
import { hasNeed, shownStateOf } from "../../../orders/invoices/shown-state.ts";
import { sendReasonOf } from "../../../orders/invoices/wms-error.ts";
import { collectEvidence } from "../../../orders/wms/confirming/collect-evidence.ts";
import { findLinkOf } from "../../../orders/wms/confirming/reconfirm-queries.ts";
import { whyNotSent } from "../../../orders/wms/may-be-sent.ts";
import { findStanding } from "../../../orders/wms/sending/push-queries.ts";
import type { RowByName } from "../../../platform/fields/reader.ts";
import { sessionSecrets } from "../confirmation.ts";
import { flag, id } from "../schemas.ts";
import type { AgentSession, JsonObject } from "../session.ts";
import type { ReadingTool } from "../tool.ts";

/** The longest time for the answer of the warehouse. */
const PATIENCE_MS = 5_000;

export const explainOrderTool: ReadingTool = {
  name: "explain_order",
  title: "Explain the order of an invoice",
  description:
    "How far the order of an invoice is, why it is stuck, and what to do. `evidence` is what the warehouse says now about " +
    "the order: whether number, fiscal id and total agree with the invoice.",
  needs: ["wms-orders:read"],
  input: { invoice: id },
  required: ["invoice"],
  output: {
    invoice_id: id,
    state: { type: "string" },
    needs_attention: flag("Whether a person has to act."),
    reason: { type: "object", description: "A code, and the facts of it." },
    order: { type: "object" },
    evidence: { type: "object" },
    next: { type: "string" },
  },
  async run(session, args) {
    const { deps, actor } = session;
    const invoiceId = String(args.invoice);
    const [row, standing] = await Promise.all([
      findInvoice(actor.tenant, deps.database, invoiceId),
      findStanding(actor.tenant, deps.database, invoiceId),
    ]);
    if (row === null || standing === null) throw errors.resourceMissing("Invoice", invoiceId);
    const invoice = invoiceRow(row, sessionSecrets(session));
    const shown = shownStateOf(invoice).is;
    const stored = invoice.wms_error ?? null;
    const reason = stored === null ? whyNotSent(standing, deps.warehouse !== null) : sendReasonOf(stored);
    return {
      invoice_id: args.invoice,
      state: shown,
      needs_attention: hasNeed(invoice),
      reason,
      order: orderOf(invoice),
      evidence: await evidenceOf(session, invoiceId),
      next: nextSteps[shown] ?? "Nothing to do: the warehouse has the order, or gets it without help.",
    };
  },
};

function orderOf(invoice: RowByName): JsonObject | null {
  if ((invoice.wms_order_id ?? null) === null) return null;
  return {
    instance: invoice.wms_instance,
    order_id: Number(invoice.wms_order_id),
    order_number: invoice.wms_order_number,
    status: invoice.wms_status,
    moved_at: invoice.wms_moved_at,
    answered_at: invoice.wms_synced_at,
  };
}

/** The evidence of the warehouse now; null without an order. */
async function evidenceOf({ deps, actor }: AgentSession, invoiceId: string): Promise<JsonObject | null> {
  const link = await findLinkOf(actor.tenant, deps.database, invoiceId);
  if (link === null) return null;
  const asking = { signal: AbortSignal.timeout(PATIENCE_MS), silent: new Map() };
  const [found] = await collectEvidence(deps, actor.tenant, [link], asking);
  if (found === undefined) return null;
  const { instance, grade, agrees, order, others, failure } = found.evidence;
  return {
    instance,
    grade,
    order_id: order?.orderId ?? null,
    fiscal_id_agrees: order === null ? null : agrees.fiscalId,
    number_agrees: order === null ? null : agrees.number,
    total_agrees: order === null ? null : agrees.total,
    other_order_ids: others.map(({ orderId }) => orderId),
    failure,
  };
}

const nextSteps: Readonly<Record<string, string>> = {
  not_sent:
    "Use send_invoice if the person wants the goods to leave. Without a connection, an admin sets one up first.",
  waiting: "Wait: the invoice is queued, and is sent by itself.",
  on_its_way: "Wait: it is being sent.",
  being_checked: "Wait: the warehouse is asked whether it has the order. Nothing is sent twice.",
  refused: "Tell the person the reason. After a correction, use send_invoice.",
  to_be_confirmed: "A person confirms the order's warehouse on the page Warehouse of Liaison.",
  gone: "A person decides on the invoice's page whether to send it again.",
  cancelled_there: "Ask the person whether the invoice should be cancelled too.",
  cancelled_here: "The goods still go on. Use cancel_order, or a person reopens the invoice.",
  shipped_cancelled: "The goods are gone. A person gets them back, or reopens the invoice.",
  cancelled: "Nothing to do: the invoice is cancelled.",
  final: "Nothing to do: the order has arrived at its last state.",
  open: "Nothing to do, unless `needs_attention`: then the order has not moved for days, and the warehouse should be asked.",
};
