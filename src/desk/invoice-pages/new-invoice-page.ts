import { keptCompany } from "../../customers/companies/merged-queries.ts";
import { companyOf, isConnected } from "../../customers/companies/pages/company-of.ts";
import { readCustom, together } from "../../customers/custom-fields/custom-inputs.ts";
import { customTable } from "../../customers/custom-fields/defined-fields.ts";
import type { Deps } from "../../kit/deps.ts";
import { errors } from "../../kit/errors.ts";
import { sumOf, writtenNumber } from "../../kit/web/assets/numbers.js";
import { inInput } from "../../kit/web/forms/field.ts";
import { onceField } from "../../kit/web/forms/once.ts";
import { html, type Html } from "../../kit/web/html.ts";
import { icon } from "../../kit/web/icon.ts";
import { amount } from "../../kit/web/language.ts";
import { notice, type NoticeWords } from "../../kit/web/notice.ts";
import type { Page, PageRequest, Shown } from "../../kit/web/page.ts";
import { invoiceRow } from "../../orders/invoices/invoice-row.ts";
import { storedLines } from "../../orders/invoices/invoice.ts";
import { moneyOfCompany } from "../../orders/invoices/money-queries.ts";
import { findTerms, listEarlierLines, type InvoiceTerms } from "../../orders/invoices/new-invoice-queries.ts";
import { nextNumber } from "../../orders/invoices/next-number.ts";
import { deliveryOf, deliveryRemarks, skuRemark } from "../../orders/invoices/pages/delivery.ts";
import { invoiceForm, readInvoice, type InvoiceForm } from "../../orders/invoices/pages/invoice-form.ts";
import { invoiceOf } from "../../orders/invoices/pages/invoice-of.ts";
import { asTyped, MOST_LINES, typedLines, withoutSku } from "../../orders/invoices/pages/line-table.ts";
import { newInvoiceWords } from "../../orders/invoices/pages/new-invoice-words.ts";
import { createInvoice } from "../../orders/invoices/write-invoice.ts";
import { findDetails } from "../../people/tenants/workspace-details-queries.ts";
import { dayAfter, daysBetween } from "../../platform/dates.ts";
import { customValues, METADATA } from "../../platform/fields/custom.ts";
import type { RowByName } from "../../platform/fields/reader.ts";
import { isId } from "../../platform/ids.ts";
import { sendUnlessInDoubt } from "./ask-to-send.ts";
import { invoicePageWords } from "./invoice-page-words.ts";
import { pickCompany } from "./pick-company.ts";

/** The fields of the form. A new invoice is issued. */
const NAMES = ["number", "issued_on", "due_on", "currency", "total", "delivery_address_id"];
const CURRENCY = "RON";

/** GET /invoices/new: the form for `company`; without it, the companies to choose from. */
export const newInvoicePage: Page = async (deps, request) => {
  const id = request.query.get("company");
  if (id === undefined) return await pickCompany(deps, request);
  const company = await companyNamed(deps, request, id);
  const terms = await findTerms(request.actor.tenant, deps.database, String(company.id));
  return await page(deps, request, company, { values: defaults(terms, request), lines: [] });
};

/** GET /companies/{id}/invoices/new: an earlier address of the form. */
export const newInvoiceOfPage: Page = async (deps, request) => {
  const { id } = await companyOf(deps, request);
  return { to: `/invoices/new?company=${id}` };
};

/** GET /invoices/{id}/copy: the form of a new invoice, filled from another one. */
export const copyInvoicePage: Page = async (deps, request) => {
  const { language, actor } = request;
  const { invoice, custom } = await invoiceOf(deps, request);
  const company = await companyNamed(deps, request, String(invoice.company_id));
  const terms = await findTerms(actor.tenant, deps.database, String(invoice.company_id));
  const lines = storedLines(invoice.lines ?? null);
  const total = invoice.total ?? null;
  const isSum = total === null || (lines.length > 0 && Number(total) === Number(sumOf(lines, invoice.currency)));
  const words = newInvoiceWords[language];
  return await page(deps, request, company, {
    values: {
      ...defaults(terms, request),
      ...customValues(custom, invoice[METADATA] ?? null),
      delivery_address_id: invoice.delivery_address_id ?? null,
      currency: invoice.currency ?? CURRENCY,
      total: isSum ? null : writtenNumber(total, language),
    },
    lines: asTyped(lines, language),
    corrects: mayCorrect(invoice) ? String(invoice.id) : null,
    obstacle: html`<p class="muted">${(mayCorrect(invoice) ? words.correcting : words.copied)(invoice.number ?? "")}${lines.length > MOST_LINES && html` <strong>${words.cut(MOST_LINES, lines.length)}</strong>`}</p>`,
  });
};

/**
 * POST /invoices: the API's field names, with lines as `lines.0.sku`, of `company`. With `more`, it shows the form
 * again with its sum; with `send`, the invoice is queued too.
 */
export const createInvoicePage: Page = async (deps, request) => {
  const { form, language, actor } = request;
  const company = await companyNamed(deps, request, form.get("company") ?? "");
  const companyId = String(company.id);
  const corrects = await correctedBy(deps, request, companyId);
  const custom = await customTable(actor.tenant, deps.database, "invoice");
  const values = form.values([...NAMES, ...custom.fields.map(({ name }) => name)]);
  const typed = { values, lines: typedLines(form), corrects };
  if (form.has("more")) return await page(deps, request, company, typed);
  const read = readInvoice(form, NAMES, "create", language);
  const { input, errors: unclear } = together(read, readCustom(custom, form, {}, language));
  if (unclear !== null) return await page(deps, request, company, { ...typed, errors: unclear });
  const written = await createInvoice(deps, actor, companyId, input, null, corrects);
  if (written.outcome === "missing") throw errors.resourceMissing("Company", companyId);
  if (written.outcome === "invalid") return await page(deps, request, company, { ...typed, errors: written.messages });
  if (written.outcome === "number-taken")
    return await page(deps, request, company, { ...typed, holder: written.holder });
  const invoice = invoiceRow(written.row, { keyring: deps.keyring, tenant: actor.tenant });
  if (form.has("send")) return await sendUnlessInDoubt(deps, request, { invoice, companyName: company.name ?? "" });
  return { to: `/invoices/${invoice.id}`, notice: notice("invoice-created") };
};

export const newInvoiceNotices: NoticeWords = {
  "invoice-created": (_values, language) => html`${newInvoiceWords[language].created}`,
};

/** A copy of a cancelled invoice corrects it. */
function mayCorrect({ status }: RowByName): boolean {
  return status === "cancelled";
}

/** The id of the cancelled invoice of the same company that the form corrects; null without one. */
async function correctedBy(deps: Deps, request: PageRequest, companyId: string): Promise<string | null> {
  const id = request.form.get("corrects") ?? "";
  if (!isId(id)) return null;
  const { invoice } = await invoiceOf(deps, { ...request, params: { id } });
  return mayCorrect(invoice) && String(invoice.company_id) === companyId ? id : null;
}

/** The company with an id, or the one that it was merged into meanwhile. */
async function companyNamed(deps: Deps, { actor }: PageRequest, id: string): Promise<RowByName> {
  const kept = isId(id) ? await keptCompany(actor.tenant, deps.database, id) : id;
  return await companyOf(deps, { actor, params: { id: kept } });
}

/** A new invoice as the workspace and the company are used to it. */
function defaults({ lastNumber, lastIssuedOn, days, currency }: InvoiceTerms, { session }: PageRequest) {
  const { timeZone } = session.workspace;
  const today = dayAfter(0, timeZone);
  return {
    number:
      lastNumber === null ? null : nextNumber(lastNumber, lastIssuedOn === null ? [today] : [lastIssuedOn, today]),
    issued_on: today,
    due_on: dayAfter(days, timeZone),
    currency: currency ?? CURRENCY,
  };
}

type FilledInvoice = Pick<InvoiceForm, "values" | "lines"> &
  Partial<Pick<InvoiceForm, "errors" | "holder" | "obstacle">> & { corrects?: string | null };

async function page(deps: Deps, request: PageRequest, company: RowByName, filled: FilledInvoice): Promise<Shown> {
  const { actor, language } = request;
  const words = newInvoiceWords[language];
  const chosen = filled.values.delivery_address_id || null;
  const delivery = await deliveryOf(deps, actor.tenant, company, isId(chosen ?? "") ? chosen : null);
  const back = `/companies/${company.id}`;
  const maySend = deps.warehouse !== null && isConnected(company);
  const form = invoiceForm({
    errors: null,
    holder: null,
    obstacle: null,
    ...filled,
    language,
    custom: await customTable(actor.tenant, deps.database, "invoice"),
    details: await findDetails(actor.tenant, deps.database),
    fields: NAMES,
    locked: null,
    notes: {},
    delivery,
    remarks: maySend
      ? html`${await debtOf(deps, request, String(company.id))}${deliveryRemarks(delivery, chosen, language)}${skuRemark(withoutSku(filled.lines ?? []), language)}`
      : null,
    action: "/invoices",
    hidden: html`<input type="hidden" name="company" value="${company.id}">${filled.corrects && html`<input type="hidden" name="corrects" value="${filled.corrects}">`}${onceField()}`,
    buttons: html`<button class="main" title="Ctrl Enter">${words.create}</button>${maySend && html`<button name="send" value="1" title="Ctrl Shift Enter">${words.createAndSend}</button>`}`,
    back,
  });
  const main = html`<a class="back" href="${back}">${icon("back")}${company.name}</a>
<header class="heading"><h1>${words.titleFor(company.name ?? "")}</h1><a class="button quiet" href="/invoices/new">${words.otherCompany}</a></header>
${form}`;
  const isRefused = (filled.errors ?? filled.holder ?? null) !== null;
  const title = words.titleFor(company.name ?? "");
  return { status: isRefused ? 422 : 200, title, area: "orders", main, look: "form" };
}

/** The debt of the company, by currency; null if it owes nothing. */
async function debtOf(
  { database }: Deps,
  { actor, language, session }: PageRequest,
  company: string,
): Promise<Html | null> {
  const words = invoicePageWords[language];
  const today = dayAfter(0, session.workspace.timeZone);
  const { open } = await moneyOfCompany(actor.tenant, database, company, { today, yearAgo: today });
  const said = open.map(({ currency, total, overdue, overdueSince }) => {
    const of = (sum: string) => amount(language, sum, currency) ?? sum;
    if (overdue === null || overdueSince === null) return words.owes(of(total));
    return words.owesPartLate(of(total), of(overdue), daysBetween(overdueSince, today));
  });
  if (said.length === 0) return null;
  const isLate = open.some(({ overdue }) => overdue !== null);
  return html`<p class="${isLate ? "reason attention remark" : "muted"}">${said.join(" ")}</p>`;
}

/** GET /invoices/earlier-lines: the workspace's earlier lines by their SKU, from which assets/lines.js completes. */
export const earlierLinesPage: Page = async ({ database }, { actor, language }) => {
  const lines = await listEarlierLines(actor.tenant, database);
  const shown = lines.map(({ sku, description, unit_price: price, unit, vat_rate: rate }) => [
    sku,
    inInput(description),
    writtenNumber(price, language),
    unit ?? "",
    rate === null ? "" : writtenNumber(rate, language),
  ]);
  return { file: "earlier-lines.json", contentType: "application/json", body: JSON.stringify(shown) };
};
