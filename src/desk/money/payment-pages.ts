import { idOf } from "../../kit/endpoint.ts";
import { errors } from "../../kit/errors.ts";
import { writtenNumber } from "../../kit/web/assets/numbers.js";
import type { FieldValues } from "../../kit/web/forms/field.ts";
import { onceField } from "../../kit/web/forms/once.ts";
import { readTyped } from "../../kit/web/forms/typed.ts";
import { html } from "../../kit/web/html.ts";
import { icon } from "../../kit/web/icon.ts";
import type { Language } from "../../kit/web/language.ts";
import { messagesIn, type FieldMessages } from "../../kit/web/messages.ts";
import { notice, type NoticeWords } from "../../kit/web/notice.ts";
import type { Page, Shown } from "../../kit/web/page.ts";
import { shellWords } from "../../kit/web/shell-words.ts";
import { invoiceOf } from "../../orders/invoices/pages/invoice-of.ts";
import { paymentRow } from "../../orders/payments/payment-json.ts";
import { deletePayment, externalOfDeleted, findPayment } from "../../orders/payments/payment-queries.ts";
import { paymentLabels } from "../../orders/payments/payment-words.ts";
import { paymentFields } from "../../orders/payments/payment.ts";
import { createPayment } from "../../orders/payments/write-payment.ts";
import { dayAfter } from "../../platform/dates.ts";
import type { Input } from "../../platform/fields/fields.ts";
import type { RowByName } from "../../platform/fields/reader.ts";
import { changedBy } from "../../platform/fields/writer.ts";
import { isId } from "../../platform/ids.ts";
import { moneyWords } from "./money-words.ts";
import { newPayment, paymentForm } from "./payment-section.ts";

const NAMES = paymentFields.map(({ name }) => name);

/** GET /invoices/{id}/payments: the form that records a payment, with what is left. */
export const newPaymentPage: Page = async (deps, request) => {
  const { language, session } = request;
  const { invoice } = await invoiceOf(deps, request);
  return formPage(invoice, newPayment(invoice, dayAfter(0, session.workspace.timeZone), language), null, language);
};

/** POST /invoices/{id}/payments. `again`: the deleted payment that is recorded again, with its external ids. */
export const createPaymentPage: Page = async (deps, request) => {
  const { actor, form, language } = request;
  const { invoice } = await invoiceOf(deps, request);
  const id = String(invoice.id);
  const typed = readTyped(paymentFields, form.input(NAMES), language, { currency: invoice.currency });
  const again = form.get("again") ?? "";
  const external = isId(again) ? await externalOfDeleted(actor.tenant, deps.database, id, again) : null;
  const written =
    typed.errors === null
      ? await createPayment(deps, actor, id, {
          ...typed.input,
          ...(external !== null && { external: JSON.parse(external) as Input }),
        })
      : ({ outcome: "invalid", messages: typed.errors } as const);
  switch (written.outcome) {
    case "created":
    case "unchanged":
      return { to: `/invoices/${id}`, notice: notice("payment-recorded", { id: String(written.row[0]) }) };
    case "missing":
      throw errors.resourceMissing("Invoice", id);
    case "taken":
      throw errors.externalIdTaken(written.holder);
    default: {
      const words = moneyWords[language];
      const messages =
        written.outcome === "invalid"
          ? messagesIn(language, written.messages, paymentLabels[language])
          : { amount: [words.refused[written.outcome]] };
      return { ...formPage(invoice, form.values(NAMES), messages, language), status: 422 };
    }
  }
};

function formPage(invoice: RowByName, values: FieldValues, messages: FieldMessages | null, language: Language): Shown {
  const { record } = moneyWords[language];
  const main = html`<a class="back" href="/invoices/${invoice.id}">${icon("back")}${invoice.number}</a>
<header class="heading"><h1>${record}</h1></header>${paymentForm(invoice, values, messages, language)}`;
  return { title: record, area: "orders", main };
}

/** POST /payments/{id}/delete */
export const deletePaymentPage: Page = async ({ database, keyring }, request) => {
  const { actor } = request;
  const id = idOf("Payment", request);
  const row = await findPayment(actor.tenant, database, id);
  if (row === null) throw errors.resourceMissing("Payment", id);
  const payment = paymentRow(row, { keyring, tenant: actor.tenant });
  await deletePayment(actor.tenant, database, id, changedBy(actor), null);
  const { invoice_id: invoice, amount = "", paid_on: on = "", means = "", reference = "" } = payment;
  const values = { invoice, again: id, amount, paid_on: on, means, reference };
  const texts = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value ?? ""]));
  return { to: `/invoices/${invoice}`, notice: notice("payment-deleted", texts) };
};

/** The notices on the next page, each with the button that undoes it. */
export const paymentNotices: NoticeWords = {
  "payment-recorded": ({ id = "" }, language) => {
    const undo =
      isId(id) &&
      html`<form method="post" action="/payments/${id}/delete"><button class="link">${shellWords[language].undo}</button></form>`;
    return html`${moneyWords[language].recorded} ${undo}`;
  },
  "payment-deleted": ({ invoice = "", ...values }, language) => {
    const shown: Readonly<Record<string, string>> = { ...values, amount: writtenNumber(values.amount ?? "", language) };
    const hidden = ["again", ...NAMES].map(
      (name) => html`<input type="hidden" name="${name}" value="${shown[name] ?? ""}">`,
    );
    const undo =
      isId(invoice) &&
      html`<form method="post" action="/invoices/${invoice}/payments">${onceField()}${hidden}<button class="link">${shellWords[language].undo}</button></form>`;
    return html`${moneyWords[language].deleted} ${undo}`;
  },
};
