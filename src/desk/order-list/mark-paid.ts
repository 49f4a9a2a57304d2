import { changeAtOnce, changeInJob } from "../../exchange/imports/changing/change-rows.ts";
import type { Deps } from "../../kit/deps.ts";
import type { SelectionAction } from "../../kit/tables/list.ts";
import { dayIn } from "../../kit/web/forms/typed.ts";
import { html } from "../../kit/web/html.ts";
import { counted, day, type InLanguages } from "../../kit/web/language.ts";
import { notice, type NoticeWords } from "../../kit/web/notice.ts";
import { ownPath } from "../../kit/web/own-path.ts";
import type { PageRequest } from "../../kit/web/page.ts";
import { shellWords } from "../../kit/web/shell-words.ts";
import { stepWords } from "../../orders/invoices/status-steps.ts";
import { dayAfter, parseDate } from "../../platform/dates.ts";
import { isId } from "../../platform/ids.ts";

/**
 * A payment of the rest, for each selected invoice. Those of a page are paid at once, and all that match in a job;
 * both can be undone for 30 days (src/exchange/imports/changing/).
 */
export function markPaid(
  selected: (deps: Deps, request: PageRequest, selection: Parameters<SelectionAction["act"]>[2]) => Promise<string[]>,
): SelectionAction {
  return {
    path: "pay",
    label: (language) => stepWords[language].pay.act,
    fields: ({ language, session }) =>
      html`<label>${words[language].paidOn} <input type="date" name="paid_on" value="${dayAfter(0, session.workspace.timeZone)}"></label>`,
    async act(deps, request, selection) {
      const { actor, form, language } = request;
      const to = ownPath(form.get("to")) ?? "/orders";
      const paidOn = parseDate(dayIn(form.get("paid_on") ?? ""));
      if (paidOn === null) return { to, notice: notice("invoices-day-wrong") };
      const title = `${stepWords[language].pay.act}: ${day(language, paidOn)}`;
      const change = { kind: "payments", title, values: { paid_on: paidOn } };
      const ids = await selected(deps, request, selection);
      if (!("ids" in selection) && ids.length > 0) {
        const id = await changeInJob(deps, actor, change, inParts(ids));
        return id === null ? { to, notice: notice("no-room") } : { to: `/imports/${id}` };
      }
      if (ids.length === 0) return { to, notice: notice("none-chosen") };
      const { id, changed, rejected } = await changeAtOnce(deps, actor, change, ids);
      const values = { paid: String(changed), refused: String(rejected.length), id };
      return { to, notice: notice("invoices-paid", values) };
    },
  };
}

/** Ids that a stored file gets at once. */
const PART = 500;

export async function* inParts(ids: readonly string[]): AsyncGenerator<readonly string[]> {
  for (let at = 0; at < ids.length; at += PART) yield ids.slice(at, at + PART);
}

const words = {
  en: {
    paidOn: "Paid on",
    paid: (count: number) => `${counted("en", count, { one: "invoice", other: "invoices" })} marked as paid.`,
    refused: (count: number) =>
      `${counted("en", count, { one: "invoice was", other: "invoices were" })} skipped: drafts, cancelled, or without a total.`,
    dayWrong: "Nothing was changed: enter the day of the payment.",
  },
  ro: {
    paidOn: "Data încasării",
    paid: (count: number) =>
      `${counted("ro", count, { one: "factură marcată ca încasată", few: "facturi marcate ca încasate", other: "de facturi marcate ca încasate" })}.`,
    refused: (count: number) =>
      `${counted("ro", count, { one: "factură omisă", few: "facturi omise", other: "de facturi omise" })}: ciorne, anulate sau fără total.`,
    dayWrong: "Nu s-a schimbat nimic: introduceți data încasării.",
  },
} satisfies InLanguages<object>;

/** The lines that the list shows after "Mark paid". */
export const markPaidNotices: NoticeWords = {
  "invoices-paid": ({ paid, refused, id = "" }, language) => {
    const [count, skipped] = [Number(paid), Number(refused)];
    const undo =
      isId(id) &&
      count > 0 &&
      html` <form method="post" action="/imports/${id}/undo"><button class="link">${shellWords[language].undo}</button></form>`;
    const line = html`${words[language].paid(count)}${skipped > 0 && html` ${words[language].refused(skipped)}`}${undo}`;
    return { meaning: skipped > 0 ? "attention" : "good", line };
  },
  "invoices-day-wrong": (_values, language) => ({ meaning: "attention", line: html`${words[language].dayWrong}` }),
};
