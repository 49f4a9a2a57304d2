import type { Deps } from "../../kit/deps.ts";
import { asking } from "../../kit/web/asking.ts";
import { html } from "../../kit/web/html.ts";
import type { Language } from "../../kit/web/language.ts";
import { notice, type NoticeWords } from "../../kit/web/notice.ts";
import { ownPath } from "../../kit/web/own-path.ts";
import type { Page, PageRequest, Shown } from "../../kit/web/page.ts";
import { shellWords } from "../../kit/web/shell-words.ts";
import { isInvoiceLocked } from "../../orders/invoices/locked-queries.ts";
import { orderStatusWord } from "../../orders/invoices/order-words.ts";
import { deliveryShown } from "../../orders/invoices/pages/delivery.ts";
import { invoiceOf } from "../../orders/invoices/pages/invoice-of.ts";
import { shownStateOf } from "../../orders/invoices/shown-state.ts";
import { stepsFrom, stepTo, stepWords, type StepName } from "../../orders/invoices/status-steps.ts";
import { sendReasonIn } from "../../orders/invoices/wms-error.ts";
import { updateInvoice } from "../../orders/invoices/write-invoice.ts";
import { askToCancelThere, cancellableAt } from "../../orders/wms/cancelling/cancel-order.ts";
import type { RowByName } from "../../platform/fields/reader.ts";
import { isId } from "../../platform/ids.ts";
import { invoicePageWords } from "./invoice-page-words.ts";

const SEEN = "seen";
/** In the form: whether the warehouse is to cancel the order too. */
const THERE = "there";

/**
 * POST /invoices/{id}/status: `step` is one from the status that the invoice has now; any other changes nothing. A
 * cancellation is asked about once more (409) if the warehouse has something else than the person saw.
 */
export const changeStatusPage: Page = async (deps, request) => {
  const { form, actor } = request;
  const { invoice } = await invoiceOf(deps, request);
  const id = String(invoice.id);
  const step = form.get("step") ?? "";
  const status = stepTo(step, invoice.status ?? null);
  const seen = form.get(SEEN);
  if (status === "cancelled" && seen !== undefined) {
    const isLocked = await isInvoiceLocked(actor.tenant, deps.database, id);
    if (seen !== standingOf(invoice, isLocked))
      return { ...(await question(deps, request, invoice, isLocked, true)), status: 409 };
  }
  const written =
    status === null ? null : await updateInvoice(deps, actor, id, { status }, [String(invoice.edited_at)], null);
  const isWritten = written?.outcome === "written";
  if (isWritten && status === "cancelled" && form.get(THERE) === "1") await askToCancelThere(deps, actor, id);
  const done = isWritten ? { id, step } : { id };
  return { to: ownPath(form.get("to")) ?? `/invoices/${id}`, notice: notice("invoice-status", done) };
};

/** GET /invoices/{id}/cancel: asks, and says what the warehouse has. */
export const askToCancelPage: Page = async (deps, request) => {
  const { actor } = request;
  const { invoice } = await invoiceOf(deps, request);
  const id = String(invoice.id);
  if (!stepsFrom(invoice.status ?? null).includes("cancel")) return { to: `/invoices/${id}` };
  return await question(deps, request, invoice, await isInvoiceLocked(actor.tenant, deps.database, id), false);
};

async function question(
  deps: Deps,
  { language, actor }: PageRequest,
  invoice: RowByName,
  isLocked: boolean,
  isAgain: boolean,
): Promise<Shown> {
  const words = invoicePageWords[language];
  const place = isLocked ? await deliveryShown(deps, actor, invoice, language) : null;
  const id = String(invoice.id);
  const isStoppable = shownStateOf(invoice).is === "open" && (await cancellableAt(deps, actor.tenant, id)) !== null;
  return asking(language, {
    title: words.cancelTitle(invoice.number ?? ""),
    area: "orders",
    consequences: [
      isAgain && words.movedMeanwhile,
      ...atWarehouse(invoice, isLocked, isStoppable, language),
      place,
      words.stays,
    ],
    ...(isStoppable && {
      fields: html`<label class="choice"><input type="checkbox" name="${THERE}" value="1" checked> ${words.cancelThere}</label>`,
    }),
    seen: { name: SEEN, value: standingOf(invoice, isLocked) },
    action: `/invoices/${id}/status`,
    value: { name: "step", value: "cancel" },
    submit: stepWords[language].cancel.act,
    back: `/invoices/${id}`,
    keep: words.keep,
  });
}

/** The facts of the question. */
function standingOf({ wms_order_id: order, wms_shown: shown }: RowByName, isLocked: boolean): string {
  return [isLocked, order ?? "", shown ?? ""].join(" ");
}

export const invoicePageNotices: NoticeWords = {
  "invoice-saved": (_values, language) => html`${invoicePageWords[language].saved}`,
  "invoice-status": ({ id, step = "" }, language) => {
    const words = stepWords[language];
    if (!Object.hasOwn(words, step))
      return { meaning: "attention", line: html`${invoicePageWords[language].changedMeanwhile}` };
    const undo =
      step === "pay" &&
      isId(id ?? "") &&
      html`<form method="post" action="/invoices/${id}/status"><button class="link" name="step" value="unpay">${shellWords[language].undo}</button></form>`;
    return html`${words[step as StepName].done} ${undo}`;
  },
};

function atWarehouse(invoice: RowByName, isLocked: boolean, isStoppable: boolean, language: Language): string[] {
  const words = invoicePageWords[language];
  const { wms_order_id: order = null, wms_order_number: number = null, wms_status: status = null } = invoice;
  if (order !== null) {
    const word = status === null ? "" : ` (${orderStatusWord(status, language)})`;
    const { is } = shownStateOf(invoice);
    if (is === "gone") return [sendReasonIn(language, { code: "gone" })];
    const isOver = is === "cancelled_there" || is === "final" || isStoppable;
    return [words.hasOrder(`${number ?? order}${word}`), ...(isOver ? [] : [words.cancelThereToo])];
  }
  if (!isLocked) return [words.notThere];
  return [invoice.wms_state === "queued" ? words.waits : words.mayBeThere];
}
