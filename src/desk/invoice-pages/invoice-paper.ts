import type { Paper, PaperFact, PaperParty } from "../../kit/paper/paper.ts";
import { html, type Html } from "../../kit/web/html.ts";
import { amount, day, type Language } from "../../kit/web/language.ts";
import { dueDayOf } from "../../orders/invoices/due-day.ts";
import type { RelatedInvoice } from "../../orders/invoices/invoice-queries.ts";
import { invoiceStatusWords } from "../../orders/invoices/invoice-words.ts";
import {
  deliveredPlace,
  placeIn,
  placeTexts,
  type GoodsPlace,
  type GoodsPlaces,
} from "../../orders/invoices/pages/delivery.ts";
import { wayWords } from "../../orders/wms/pages/way-words.ts";
import type { WorkspaceDetails } from "../../people/tenants/workspace-details-queries.ts";
import type { RowByName } from "../../platform/fields/reader.ts";
import { restOf } from "../money/payment-section.ts";
import { invoicePageWords } from "./invoice-page-words.ts";
import { invoiceLines } from "./line-list.ts";

/** The rows that the paper of an invoice is made of. */
export type InvoiceSource = {
  invoice: RowByName;
  company: RowByName;
  workspace: { name: string };
  details: WorkspaceDetails;
  related: readonly RelatedInvoice[];
  place: GoodsPlace | null;
};

/** The paper of an invoice, but for its logo. Its page shows the same parts. */
export function invoicePaper(source: InvoiceSource, language: Language): Paper {
  const { invoice, place, related } = source;
  const { number = "", status = null, total = null, currency = null } = invoice;
  const words = invoicePageWords[language];
  const isMarked = status === "draft" || status === "cancelled";
  const dated = datesOf(invoice, language).map(({ label, on }) => ({ label, value: day(language, on) }));
  const others = related.map((one) => ({ label: relationWord(one, language), value: one.number }));
  const lines = invoiceLines(invoice, language);
  const rest = restOf(invoice, language);
  const whole =
    total === null ? [] : [{ label: wayWords[language].total, value: amount(language, total, currency) ?? "" }];
  return {
    language,
    title: words.paper,
    number: number ?? "",
    mark: isMarked ? (invoiceStatusWords[language][status] ?? null) : null,
    facts: [...dated, ...others],
    parties: partiesOf(source, language),
    logo: null,
    place: place === null ? null : placeTexts(place, language),
    table: lines,
    sums: lines?.sums ?? whole,
    notes: [...(rest === null ? [] : [rest]), ...termsOf(source, language)],
  };
}

/** Where the goods went, or will go; null if the warehouse has an order without a place. */
export function placeOfGoods(invoice: RowByName, companyName: string, delivery: GoodsPlaces): GoodsPlace | null {
  const ahead = invoice.wms_order_id == null ? placeIn(delivery, invoice.delivery_address_id ?? null) : null;
  return deliveredPlace(invoice, companyName) ?? ahead;
}

/** The days on an invoice, with their words. */
export function datesOf(invoice: RowByName, language: Language): { label: string; on: string; isDue: boolean }[] {
  const words = wayWords[language];
  const issued = invoice.issued_on ?? null;
  const due = dueDayOf(invoice);
  return [
    ...(issued === null ? [] : [{ label: words.issued, on: issued, isDue: false }]),
    ...(due === null ? [] : [{ label: invoice.due_on == null ? words.dueByTerms : words.due, on: due, isDue: true }]),
  ];
}

/** "Corrects", and at that invoice "Corrected by". */
export function relationWord({ isEarlier }: RelatedInvoice, language: Language): string {
  const words = invoicePageWords[language];
  return isEarlier ? words.corrects : words.correctedBy;
}

/** The seller and the buyer. */
function partiesOf({ company, workspace, details }: InvoiceSource, language: Language): PaperParty[] {
  const words = invoicePageWords[language];
  const { address = null, city = null, county = null, postal_code: code = null } = company;
  const place = [address, [code, city].filter(Boolean).join(" "), county === city ? null : county, company.country];
  const buyer = {
    name: company.name ?? "",
    tax_id: company.tax_id,
    registration_number: company.registration_number,
    address: company.fiscal_address ?? place.filter(Boolean).join(", "),
  };
  return [party(words.seller, { name: workspace.name, ...details.firm }, words), party(words.buyer, buyer, words)];
}

type Party = { name: string } & { [Fact in PartyFact | "address"]?: string | null | undefined };
type PartyFact = "tax_id" | "registration_number" | "phone" | "email";

function party(role: string, party: Party, words: (typeof invoicePageWords)[Language]): PaperParty {
  const facts: [label: string, value: string | null | undefined][] = [
    [words.taxId, party.tax_id],
    [words.registration, party.registration_number],
    ["", party.address],
    ["", party.phone],
    ["", party.email],
  ];
  const shown = facts.flatMap(([label, value]): PaperFact[] =>
    (value ?? "") === "" ? [] : [{ label, value: value ?? "" }],
  );
  return { role, name: party.name, facts: shown };
}

/** The payment terms and the account. */
function termsOf({ company, details: { firm, paymentDays } }: InvoiceSource, language: Language): string[] {
  const words = invoicePageWords[language];
  const days = Number(company.payment_days ?? paymentDays);
  const account = [firm.iban, firm.bank].filter(Boolean).join(", ");
  return [words.payWithin(days), ...(account === "" ? [] : [words.payTo(account)])];
}

/** The seller and the buyer, as the page of an invoice has them on paper only. */
export function parties(source: InvoiceSource, language: Language): Html {
  const [seller, buyer] = partiesOf(source, language).map(
    ({ role, name, facts }) =>
      html`<small>${role}</small><strong>${name}</strong>${facts.map(({ label, value }) => html`<span>${label} ${value}</span>`)}`,
  );
  // The picture is read before it is printed, and not for the screen.
  return html`<p class="printed start">${invoicePageWords[language].paper}</p><section class="parties printed"><div>${source.details.hasLogo && html`<img src="/workspace/logo" alt="" loading="lazy">`}${seller}</div>
<div>${buyer}</div></section>`;
}

/** The payment terms and the account, below the lines on paper. */
export function paymentTerms(source: InvoiceSource, language: Language): Html {
  return html`<p class="printed start">${termsOf(source, language).map((line, at) => html`${at > 0 && html`<br>`}${line}`)}</p>`;
}
