import { addressNoun } from "../../customers/addresses/pages/address-noun.ts";
import { isConnected } from "../../customers/companies/pages/company-of.ts";
import { childMembers } from "../../customers/company-children/child-json.ts";
import { childReads } from "../../customers/company-children/child-reads.ts";
import { childTable } from "../../customers/company-children/pages/list-page.ts";
import type { ChildNoun } from "../../customers/company-children/pages/noun.ts";
import { contactNoun } from "../../customers/contacts/pages/contact-noun.ts";
import { recordsOfCompany } from "../../customers/records/record-queries.ts";
import { recordStatus } from "../../customers/records/record-words.ts";
import { recordKinds, type RecordKind } from "../../customers/records/record.ts";
import { rowTable } from "../../kit/tables/rows.ts";
import { html } from "../../kit/web/html.ts";
import { amount, dayOrNone, listedDay } from "../../kit/web/language.ts";
import { invoiceReads } from "../../orders/invoices/invoice-reads.ts";
import { listedInvoiceRow } from "../../orders/invoices/invoice-row.ts";
import { invoiceStatus } from "../../orders/invoices/invoice-words.ts";
import { following, lastMoved, shownState } from "../../orders/invoices/shown-state.ts";
import { foldedActions } from "../../orders/wms/pages/order-actions.ts";
import { orderListWords } from "../../orders/wms/pages/order-list-words.ts";
import { wayWords } from "../../orders/wms/pages/way-words.ts";
import { membersReader } from "../../platform/fields/reader.ts";
import { pageWords } from "./page-words.ts";
import { SHOWN, type Section } from "./section.ts";

function childSection(whole: ChildNoun): Section {
  const noun = { ...whole, columns: whole.columns.filter(({ isWide }) => isWide !== true) };
  const { child } = noun;
  const reads = childReads(child).ofCompany;
  const read = membersReader(childMembers(child));
  const place = child.table as "contacts" | "addresses";
  return {
    name: place,
    all: (id) => `/companies/${id}/${place}`,
    add: (id) => `/companies/${id}/${place}/new`,
    async read({ database, keyring }, { actor: { tenant }, language, session }, { id }) {
      const found = await reads.page(tenant, database, { parent: String(id), filters: {} }, SHOWN);
      const at = { search: null, language, timeZone: session.workspace.timeZone, back: `/companies/${id}` };
      const children = (found?.rows ?? []).map((row) => read(row, { keyring, tenant }));
      return { total: found?.total ?? 0, count: children.length, rows: childTable(noun, children, at) };
    },
  };
}

/** The newest invoices of a company. */
export const newestInvoices = (most: number): Section => ({
  name: "invoices",
  all: (id) => `/companies/${id}/invoices`,
  add: (id) => `/invoices/new?company=${id}`,
  shortcut: "i",
  isForm: true,
  async read({ database, keyring, warehouse }, { actor: { tenant }, language, session }, company) {
    const page = { ...SHOWN, perPage: most };
    const found = await invoiceReads.page(tenant, database, { parent: String(company.id), filters: {} }, page);
    const invoices = (found?.rows ?? []).map((row) => listedInvoiceRow(row, { keyring, tenant }));
    const words = wayWords[language];
    const { timeZone } = session.workspace;
    const [companyName, isReached] = [company.name ?? "", isConnected(company)];
    const rows = rowTable(invoices, [
      ["name", words.number, ({ number }) => number, { href: ({ id }) => `/invoices/${id}` }],
      ["date", words.issued, ({ issued_on: date = null }) => listedDay(language, date, timeZone)],
      ["number", words.total, ({ total = null, currency = null }) => amount(language, total, currency)],
      ["text", words.status, ({ status }) => invoiceStatus(status ?? "", language)],
      [
        "why",
        words.order,
        (invoice) =>
          html`${shownState(invoice, language)}${(invoice.wms_order_id ?? null) !== null && html` <small>${invoice.wms_order_number ?? invoice.wms_order_id} · ${lastMoved(invoice, language, timeZone)}</small>`}`,
      ],
      [
        "action",
        orderListWords[language].send,
        (invoice) => foldedActions({ invoice, companyName, isConnected: isReached }, language, warehouse !== null),
      ],
    ]);
    return { total: found?.total ?? 0, count: invoices.length, rows, following: following(invoices) };
  },
});

function recordSection(kind: RecordKind): Section {
  const listRecords = recordsOfCompany(kind);
  return {
    name: kind,
    all: null,
    add: null,
    async read({ database }, { actor: { tenant }, language }, { id }) {
      const { rows: records, total } = await listRecords(tenant, database, SHOWN, { company: id });
      const words = pageWords[language];
      const rows = rowTable(records, [
        ["name", words.title, ({ number, title }) => [number, title].filter((part) => part !== null).join(" · ")],
        ["date", words.date, ({ startsOn }) => dayOrNone(language, startsOn)],
        ["number", words.total, (record) => amount(language, record.amount ?? null, record.currency ?? null)],
        ["text", words.status, ({ status }) => status !== null && recordStatus(kind, status, language)],
      ]);
      return { total, count: records.length, rows };
    },
  };
}

/** The sections before the facts of a company, and behind them. */
export const firstSections: readonly Section[] = [childSection(contactNoun), newestInvoices(SHOWN.perPage)];
export const lastSections: readonly Section[] = [childSection(addressNoun), ...recordKinds.map(recordSection)];
