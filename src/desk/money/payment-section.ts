import { rowTable } from "../../kit/tables/rows.ts";
import { writtenNumber } from "../../kit/web/assets/numbers.js";
import { errorSummary, fieldRow, formActions, type FieldValues } from "../../kit/web/forms/field.ts";
import { onceField } from "../../kit/web/forms/once.ts";
import { choicesAmong } from "../../kit/web/forms/select.ts";
import { html, type Html } from "../../kit/web/html.ts";
import { amount, day, type Language } from "../../kit/web/language.ts";
import type { FieldMessages } from "../../kit/web/messages.ts";
import { leftOfRow } from "../../orders/invoices/paid.ts";
import { meansWords, paymentLabels } from "../../orders/payments/payment-words.ts";
import { paymentFields, type PaymentMeans } from "../../orders/payments/payment.ts";
import type { RowByName } from "../../platform/fields/reader.ts";
import { moneyWords } from "./money-words.ts";

/** The rest of an invoice with payments as a text; null if there is nothing to say. */
export function restOf(invoice: RowByName, language: Language): string | null {
  const left = leftOfRow(invoice);
  if (left === null || Number(invoice.paid ?? 0) === 0 || Number(left) === 0) return null;
  const words = moneyWords[language];
  const shown = (value: string) => amount(language, value, invoice.currency ?? null) ?? "";
  const isTooMuch = left.startsWith("-") !== (invoice.total ?? "").startsWith("-");
  return isTooMuch ? words.paidTooMuch(shown(left.replace(/^-/, ""))) : words.left(shown(left));
}

/** The same behind the total of a page. */
export function restLine(invoice: RowByName, language: Language): Html | null {
  const said = restOf(invoice, language);
  return said === null ? null : html`<span class="muted">${said}</span>`;
}

/** The payments of an invoice, the newest first; null for a draft. */
export function paymentSection(invoice: RowByName, payments: readonly RowByName[], language: Language): Html | null {
  if (invoice.status === "draft") return null;
  const words = moneyWords[language];
  const labels = paymentLabels[language];
  const means = meansWords[language];
  const table = rowTable(payments, [
    ["date", labels.paid_on, ({ paid_on: on }) => day(language, on ?? "")],
    ["number", labels.amount, ({ amount: paid = null }) => amount(language, paid, invoice.currency ?? null)],
    ["short", labels.means, ({ means: of }) => means[of as PaymentMeans]],
    ["text", labels.reference, ({ reference = null }) => reference],
    [
      "action",
      words.delete,
      ({ id }) =>
        html`<form method="post" action="/payments/${id}/delete"><button class="quiet">${words.delete}</button></form>`,
    ],
  ]);
  return html`<section class="section" id="payments"><header><h2>${words.payments}</h2></header>
${payments.length > 0 && table}
<p><a class="button" href="/invoices/${invoice.id}/payments">${words.record}</a></p></section>`;
}

/** The values of a new payment: what is left, today. */
export function newPayment(invoice: RowByName, today: string, language: Language): FieldValues {
  const left = leftOfRow(invoice);
  const amount = left === null || Number(left) <= 0 ? "" : writtenNumber(left, language);
  return { amount, paid_on: today, means: "bank" };
}

/** The form that records a payment. */
export function paymentForm(
  { id, currency }: RowByName,
  values: FieldValues,
  errors: FieldMessages | null,
  language: Language,
): Html {
  const shown = {
    values,
    labels: paymentLabels[language],
    errors,
    language,
    currency,
    choices: { means: choicesAmong(meansWords[language]) },
  };
  return html`<form class="record" method="post" action="/invoices/${id}/payments">${onceField()}
${errorSummary(errors, language)}
${paymentFields.map((field) => fieldRow(field, shown))}
${formActions(moneyWords[language].record, `/invoices/${id}`, language)}</form>`;
}
