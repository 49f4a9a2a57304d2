import { addressNoun } from "../addresses/pages/address-noun.ts";
import { isConnected } from "../companies/pages/company-of.ts";
import { childMembers } from "../company-children/child-json.ts";
import { childQueries } from "../company-children/child-queries.ts";
import { childHeads, childRow } from "../company-children/pages/list-page.ts";
import type { ChildNoun } from "../company-children/pages/noun.ts";
import { contactNoun } from "../contacts/pages/contact-noun.ts";
import { listInvoices } from "../invoices/invoice-list-queries.ts";
import { listedInvoiceRow } from "../invoices/invoice-row.ts";
import { invoiceStatus } from "../invoices/invoice-words.ts";
import { following, lastMoved, shownState } from "../invoices/shown-state.ts";
import { membersReader } from "../platform/fields/reader.ts";
import { listRecords, type ListedRecord } from "../records/record-list-queries.ts";
import { recordStatus } from "../records/record-words.ts";
import { recordKinds, type RecordKind } from "../records/record.ts";
import { html } from "../web/html.ts";
import { labelledCell } from "../web/labelled-cell.ts";
import { amount, dayOrNone, type Language } from "../web/language.ts";
import { invoiceCells } from "../wms/pages/invoice-cells.ts";
import { foldedActions } from "../wms/pages/order-actions.ts";
import { orderListWords } from "../wms/pages/order-list-words.ts";
import { wayWords } from "../wms/pages/way-words.ts";
import { pageWords } from "./page-words.ts";
import { head, SHOWN, type Section } from "./section.ts";

function childSection(whole: ChildNoun): Section {
  const noun = { ...whole, columns: whole.columns.filter(({ isWide }) => isWide !== true) };
  const { child } = noun;
  const queries = childQueries(child);
  const read = membersReader(childMembers(child));
  const table = child.table as "contacts" | "addresses";
  return {
    name: table,
    all: (id) => `/companies/${id}/${table}`,
    add: (id) => `/companies/${id}/${table}/new`,
    heads: (language) => childHeads(noun, language),
    async read({ database, keyring }, { actor: { tenant }, language, session }, { id }) {
      const found = await queries.list(tenant, database, String(id), { search: null, since: null }, SHOWN);
      const at = { search: null, language, timeZone: session.workspace.timeZone, back: `/companies/${id}` };
      const rows = (found?.rows ?? []).map((row) => childRow(noun, read(row, { keyring, tenant }), at));
      return { total: found?.total ?? 0, rows };
    },
  };
}

const invoices: Section = {
  name: "invoices",
  all: (id) => `/companies/${id}/invoices`,
  add: (id) => `/invoices/new?company=${id}`,
  shortcut: "i",
  isForm: true,
  heads: (language) => {
    const { number, issued, total, status, order } = wayWords[language];
    const send = html`<th scope="col"><span class="hidden">${orderListWords[language].send}</span></th>`;
    return [head(number), head(issued), head(total, "number"), head(status), head(order), send];
  },
  async read({ database, keyring, warehouse }, { actor: { tenant }, language, session }, company) {
    const found = await listInvoices(tenant, database, String(company.id), { search: null, status: null }, SHOWN);
    const invoices = (found?.rows ?? []).map((row) => listedInvoiceRow(row, { keyring, tenant }));
    const rows = invoices.map((invoice) => {
      const { number, issued, total } = invoiceCells(invoice, {
        search: null,
        language,
        timeZone: session.workspace.timeZone,
      });
      return html`<tr>${number}${issued}${total}
<td>${invoiceStatus(invoice.status ?? "", language)}</td>
<td class="why">${shownState(invoice, language)}${(invoice.wms_order_id ?? null) !== null && html` <small>${invoice.wms_order_number ?? invoice.wms_order_id} · ${lastMoved(invoice, language, session.workspace.timeZone)}</small>`}</td>
<td class="action">${foldedActions({ invoice, companyName: company.name ?? "", isConnected: isConnected(company) }, language, warehouse !== null)}</td></tr>`;
    });
    return { total: found?.total ?? 0, rows, following: following(invoices) };
  },
};

function recordSection(kind: RecordKind): Section {
  return {
    name: kind,
    all: null,
    add: null,
    heads: (language) => {
      const { title, date, total, status } = pageWords[language];
      return [head(title), head(date), head(total, "number"), head(status)];
    },
    async read({ database }, { actor: { tenant }, language }, { id }) {
      const { records, total } = await listRecords(tenant, database, kind, String(id), SHOWN);
      return { total, rows: records.map((record) => recordRow(kind, record, language)) };
    },
  };
}

function recordRow(
  kind: RecordKind,
  { number, title, status, amount: value, currency, startsOn }: ListedRecord,
  language: Language,
) {
  const { date, total } = pageWords[language];
  const called = [number, title].filter((part) => part !== null).join(" · ");
  return html`<tr><td class="name" title="${called}">${called}</td>
${labelledCell(date, dayOrNone(language, startsOn), "date")}
${labelledCell(total, amount(language, value ?? null, currency ?? null), "number")}
<td>${status !== null && recordStatus(kind, status, language)}</td></tr>`;
}

/** The sections before the facts of a company, and behind them. */
export const firstSections: readonly Section[] = [childSection(contactNoun), invoices];
export const lastSections: readonly Section[] = [childSection(addressNoun), ...recordKinds.map(recordSection)];
