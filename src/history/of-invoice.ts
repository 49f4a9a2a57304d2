import { activityWords } from "../activities/activity-words.ts";
import type { changeOf } from "../changes/change-queries.ts";
import type { RowByName } from "../platform/fields/reader.ts";
import { eventList } from "../web/event-list.ts";
import { html, type Html } from "../web/html.ts";
import type { PageRequest } from "../web/page.ts";
import { foldedEvent, runsOf, type Folding } from "./folds.ts";
import { historyEvent } from "./history-lines.ts";
import type { HistoryChange } from "./history-queries.ts";
import { invoiceTelling } from "./tellings.ts";

/** The changes of an invoice as sentences, newest first. They name the invoice and do not link to it. */
export function invoiceHistory(
  invoice: RowByName,
  changes: readonly ReturnType<typeof changeOf>[],
  request: PageRequest,
): Html | null {
  if (changes.length === 0) return null;
  const { language, session } = request;
  const telling = invoiceTelling(request);
  const folding: Folding = { tellings: () => telling, within: null, language, timeZone: session.workspace.timeZone };
  const told = changes.map((each) => ofInvoice(each, invoice));
  const happened = told.map((change) => ({ event: historyEvent(change, telling, null), change }));
  return html`<section class="section" id="history"><header><h2>${activityWords[language].title}</h2></header>
${eventList(
  runsOf(happened, folding).flatMap((run) => foldedEvent(run, folding)),
  request,
  "h3",
)}</section>`;
}

function ofInvoice(change: ReturnType<typeof changeOf>, invoice: RowByName): HistoryChange {
  const { id, at, type, action, changed, changedBy, writerName } = change;
  const { number = null, wms_order_number: orderNumber, wms_order_id: orderId, wms_gone_at: gone } = invoice;
  return {
    id: String(id),
    at: String(at),
    type: String(type),
    action: String(action),
    // The page has the values that it was created with.
    changed: action === "created" ? "{}" : changed,
    changedBy: String(changedBy),
    writerName,
    resource: { id: String(invoice.id), name: number, isLive: false },
    company: null,
    isTold: false,
    orderNumber: orderNumber ?? orderId ?? null,
    orderTrouble:
      (gone ?? null) !== null ? "missing" : /^cancell?ed$/i.test(invoice.wms_status ?? "") ? "cancelled" : null,
    subdomain: null,
  };
}
