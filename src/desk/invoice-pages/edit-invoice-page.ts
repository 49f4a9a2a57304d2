import { createHash } from "node:crypto";
import { companyOf, isConnected } from "../../customers/companies/pages/company-of.ts";
import { readCustom, together } from "../../customers/custom-fields/custom-inputs.ts";
import { customTable } from "../../customers/custom-fields/defined-fields.ts";
import { editPages } from "../../kit/changes/edit-pages.ts";
import { plainNumber, wasName } from "../../kit/changes/reconcile.ts";
import { sumOf, writtenNumber } from "../../kit/web/assets/numbers.js";
import { inInput, type FieldValues } from "../../kit/web/forms/field.ts";
import type { Form } from "../../kit/web/forms/form.ts";
import { html, type Html } from "../../kit/web/html.ts";
import { icon } from "../../kit/web/icon.ts";
import { amount, type Language } from "../../kit/web/language.ts";
import { notice } from "../../kit/web/notice.ts";
import { shellWords } from "../../kit/web/shell-words.ts";
import { invoice, lockedColumns, storedLines, type InvoiceLine } from "../../orders/invoices/invoice.ts";
import { isInvoiceLocked } from "../../orders/invoices/locked-queries.ts";
import {
  deliveredLine,
  deliveryOf,
  deliveryRemarks,
  placeIn,
  placeLine,
  skuRemark,
  type GoodsPlaces,
} from "../../orders/invoices/pages/delivery.ts";
import { invoiceFields, invoiceForm, readInvoice } from "../../orders/invoices/pages/invoice-form.ts";
import { invoiceOf } from "../../orders/invoices/pages/invoice-of.ts";
import {
  asTyped,
  MOST_LINES,
  readTypedLines,
  totalsIn,
  typedLines,
  withoutSku,
  type TypedLine,
} from "../../orders/invoices/pages/line-table.ts";
import { newInvoiceLabels } from "../../orders/invoices/pages/new-invoice-words.ts";
import { updateInvoice } from "../../orders/invoices/write-invoice.ts";
import { findDetails } from "../../people/tenants/workspace-details-queries.ts";
import { keyOf } from "../../platform/fields/custom.ts";
import type { RowByName } from "../../platform/fields/reader.ts";
import { isId } from "../../platform/ids.ts";
import { withReferences } from "../history/reference-queries.ts";
import { allWordings } from "../history/wordings.ts";
import { invoicePageWords } from "./invoice-page-words.ts";
import { lineList } from "./line-list.ts";

const NAMES = invoiceFields.map(({ name }) => name);

/**
 * GET, POST /invoices/{id}/edit: what the API may change (docs/contract.md 14.6). The rest is shown with the reason why
 * it stays.
 */
export const { editPage: editInvoicePage, updatePage: updateInvoicePage } = editPages({
  type: "invoice",
  model: "Invoice",
  fields: invoice.fields,
  version: "edited_at",
  find: async (deps, request) => (await invoiceOf(deps, request)).invoice,
  custom: async ({ database }, { actor }) => await customTable(actor.tenant, database, "invoice"),
  input(form, row, language, custom) {
    const read = readInvoice(form, NAMES, "update", language);
    const { input, errors } = together(read, readCustom(custom, form, row, language));
    const posted = new Map(Object.entries(input));
    // The same number with other zeros at its end is no change.
    if (form.get(TOTAL_OF) === "stored" || plainNumber(String(input.total)) === plainNumber(row.total ?? ""))
      posted.delete("total");
    if (errors === null && isSame(input.lines, row)) posted.delete("lines");
    else if (Array.isArray(input.lines)) posted.set("lines", asStored(input.lines as InvoiceLine[], row));
    const isUnclear = errors === null && !form.has(TOTAL_OF) && posted.has("lines") && isLeftBehind(posted, row);
    // Without a message: the form asks.
    return { input: Object.fromEntries(posted), errors: isUnclear ? {} : errors };
  },
  compared,
  async update(deps, actor, id, input, expected) {
    const written = await updateInvoice(deps, actor, id, input, expected, null);
    if (written.outcome !== "number-taken") return written.outcome === "written" ? { outcome: "written" } : written;
    const { holder } = written;
    return { outcome: "number-taken", holder: { id: holder.id, name: holder.number } };
  },
  async wording(deps, request, meanwhile) {
    const naming = await withReferences(deps, request.actor.tenant, meanwhile);
    return naming((await allWordings(deps, request))("invoice"));
  },
  saved: (id) => ({ to: `/invoices/${id}`, notice: notice("invoice-saved") }),
  async page(deps, request, row, { status, values, errors, holder, version, conflict }) {
    const { language, form, actor } = request;
    const words = invoicePageWords[language];
    const title = shellWords[language].editTitle(row.number ?? "");
    const back = `/invoices/${row.id}`;
    const isLocked = await isInvoiceLocked(actor.tenant, deps.database, String(row.id));
    const stored = storedLines(row.lines ?? null);
    const company = await companyOf(deps, { actor, params: { id: String(row.company_id) } });
    const chosen = (isLocked ? row : values).delivery_address_id || null;
    const delivery = await deliveryOf(deps, actor.tenant, company, isId(chosen ?? "") ? chosen : null);
    const isTyped = status === 422 || (conflict !== null && values.lines !== row.lines);
    const hasNoLines = isLocked || stored.length > MOST_LINES;
    const lines = hasNoLines ? null : isTyped ? typedLines(form) : asTyped(stored, language);
    const asksForTotal =
      status === 422 && lines !== null && (form.has(TOTAL_OF) || Object.keys(errors ?? {}).length === 0);
    const message = conflict?.message ?? (status === 409 ? words.sentMeanwhile : null);
    const main = html`<a class="back" href="${back}">${icon("back")}${row.number}</a>
<header class="heading"><h1>${title}</h1></header>
${invoiceForm({
  language,
  fields: isLocked ? NAMES.filter((name) => !lockedColumns.includes(name)) : NAMES,
  locked: isLocked
    ? locked(row, delivery, language, words.atWarehouse)
    : lines === null
      ? html`<p class="muted">${words.manyLines(stored.length, MOST_LINES)}</p>`
      : null,
  delivery: isLocked ? null : delivery,
  remarks:
    isLocked || !isConnected(company)
      ? null
      : html`${deliveryRemarks(delivery, chosen, language)}${skuRemark(withoutSku(lines ?? stored), language)}`,
  values: status === 422 ? values : { ...values, total: totalOf(values, stored, language) },
  custom: await customTable(actor.tenant, deps.database, "invoice"),
  lines,
  details: await findDetails(actor.tenant, deps.database),
  totals: asksForTotal && holder === null ? totals(lines, row, form, language) : null,
  errors,
  holder: holder && { id: holder.id, number: holder.name },
  notes: conflict?.notes ?? {},
  obstacle: message === null ? null : html`<div class="error-summary" role="alert"><p>${message}</p></div>`,
  action: `${back}/edit`,
  hidden: html`<input type="hidden" name="version" value="${version}"><input type="hidden" name="${wasName("lines")}" value="${digestOf(stored)}">`,
  buttons: html`<button class="main" title="Ctrl Enter">${shellWords[language].save}</button>`,
  back,
})}`;
    return { status, title, area: "orders", main, ...(lines !== null && { look: "form" }) };
  },
});

/** In the form: whether the total is the sum of the changed lines, or stays. */
const TOTAL_OF = "total_of";

/** Whether changed lines leave a total behind that was typed earlier. */
function isLeftBehind(posted: ReadonlyMap<string, unknown>, { total = null, currency }: RowByName): boolean {
  const lines = posted.get("lines") as InvoiceLine[];
  const sum = sumOf(lines, (posted.get("currency") ?? currency) as string | null | undefined);
  return total !== null && !posted.has("total") && lines.length > 0 && Number(total) !== Number(sum);
}

function totals(lines: readonly TypedLine[], row: RowByName, form: Form, language: Language): Html {
  const words = invoicePageWords[language];
  const currency = form.get("currency") ?? row.currency;
  const of = (value: string) => amount(language, value, currency ?? null) ?? "";
  const sum = of(totalsIn(readTypedLines(lines, language, currency), currency).total);
  const isKept = form.get(TOTAL_OF) === "stored";
  const choice = (value: string, label: string, isChosen: boolean) =>
    html`<label class="choice"><input type="radio" name="${TOTAL_OF}" value="${value}"${isChosen && html` checked`}> ${label}</label>`;
  return html`<fieldset class="totals" role="alert"><legend>${words.linesNow(sum)}</legend>
${choice("lines", sum, !isKept)}${choice("stored", words.asBefore(of(row.total ?? "")), isKept)}</fieldset>`;
}

/** The fields that stay, and why. */
function locked(row: RowByName, delivery: GoodsPlaces, language: Language, why: string): Html {
  const labels = newInvoiceLabels[language];
  const total = amount(language, row.total ?? null, row.currency ?? null);
  return html`<div class="locked"><p class="muted">${why}</p>
<dl class="facts"><dt>${labels.number}</dt><dd>${row.number}</dd>${total !== null && html`<dt>${labels.total}</dt><dd>${total}</dd>`}</dl>
${deliveredLine(row, delivery.companyName, language) ?? placeLine(placeIn(delivery, row.delivery_address_id ?? null), language)}
${lineList(row, language)}</div>`;
}

/** A total that is the sum of the lines follows them: its field is empty. */
function totalOf(
  { total = null, currency }: FieldValues,
  lines: readonly InvoiceLine[],
  language: Language,
): string | null {
  if (total === null) return null;
  const isSum = lines.length > 0 && plainNumber(total) === plainNumber(sumOf(lines, currency));
  return isSum ? null : writtenNumber(total, language);
}

function isSame(posted: unknown, { lines }: RowByName): boolean {
  return Array.isArray(posted) && digestOf(posted as InvoiceLine[]) === digestOf(storedLines(lines ?? null));
}

/** The lines with the stored descriptions, where an input has only other line breaks. */
function asStored(posted: readonly InvoiceLine[], { lines }: RowByName): InvoiceLine[] {
  const stored = new Map(storedLines(lines ?? null).map(({ description }) => [inInput(description), description]));
  return posted.map((line) => ({ ...line, description: stored.get(line.description) ?? line.description }));
}

/** Distinguishes lines by what a person sees of them. The form carries it, because the history has no earlier lines. */
function digestOf(lines: readonly InvoiceLine[]): string {
  const seen = lines.map(({ sku, description, quantity, unit_price: price, unit, vat_rate: rate }) => [
    sku ?? "",
    inInput(description),
    plainNumber(quantity),
    plainNumber(price),
    unit ?? "",
    plainNumber(rate ?? ""),
  ]);
  return createHash("sha256").update(JSON.stringify(seen)).digest("base64url");
}

/** The posted form in the API's format. Its lines are their digest. */
function compared(form: Form, language: Language): Form {
  const { input } = readInvoice(form, NAMES, "update", language);
  const has = (name: string) => Object.hasOwn(input, name) || (keyOf(name) !== null && form.has(name));
  const get = (name: string) => {
    if (name === "lines" && has(name)) return digestOf(input.lines as InvoiceLine[]);
    const read = input[name];
    return typeof read === "string" ? read : form.get(name);
  };
  return { ...form, has, get };
}
