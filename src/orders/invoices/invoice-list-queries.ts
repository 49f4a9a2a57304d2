import { selectCompany } from "../../customers/companies/live-company-queries.ts";
import { lookUpsOf } from "../../kit/external-ids/look-up.ts";
import { columnsOf } from "../../platform/fields/sql.ts";
import { fewPage, fewText } from "../../platform/http/lists/by-ids.ts";
import type { PageQuery } from "../../platform/http/lists/pagination.ts";
import { isUpdatedSince } from "../../platform/http/lists/since.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { findListPage, type List, type ListPage } from "../../platform/postgres/read-page.ts";
import type { Statement } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { listedInvoiceColumns } from "./invoice-json.ts";

/**
 * A null or undefined filter is inactive. The database folds case and accents of a search. An undefined filter is not
 * part of a cursor's list, so that cursors from before it stay valid.
 */
export type InvoiceFilters = {
  search: string | null;
  status: string | null;
  wmsState?: string | undefined;
  /** Updated at or after this timestamp. */
  since?: string | undefined;
};

/** The filters, each with its condition by the number of its parameter, and the end of its statements' names. */
const filters = {
  status: { end: "_of_status", condition: (at: number) => `i.status = $${at}` },
  wmsState: { end: "_of_wms_state", condition: (at: number) => `i.wms_state = $${at}` },
  since: { end: "_since", condition: (at: number) => `i.updated_at >= $${at}` },
  // As a sub-select, the pattern is computed once and not for each row.
  search: { end: "_matching", condition: (at: number) => `fold(i.number) like (select search_pattern($${at}))` },
};
const filterNames = ["status", "wmsState", "since", "search"] as const;
type Filter = (typeof filterNames)[number];

const nameOf = (active: readonly Filter[]) => active.map((name) => filters[name].end).join("");

/** The lists by their filters (`nameOf`). The parameters of the filters come after the company ($2), in this order. */
const lists: Readonly<Record<string, List>> = Object.fromEntries(
  Array.from({ length: 2 ** filterNames.length }, (_, bits) =>
    filterNames.filter((_name, index) => (bits & (1 << index)) !== 0),
  ).map((active) => [
    nameOf(active),
    list(
      nameOf(active),
      active.map((name, index) => filters[name].condition(index + 3)),
    ),
  ]),
);

function list(name: string, conditions: string[]): List {
  const ofCompany = ["i.tenant_id = $1 and i.company_id = $2", ...conditions].join(" and ");
  const next = conditions.length + 3;
  return {
    count: {
      name: `count_invoices${name}`,
      text: selectCompany(`(select count(*) from invoices i where ${ofCompany})`),
    },
    page: {
      name: `list_invoices${name}`,
      text: `select ${columnsOf(listedInvoiceColumns, "i")} from invoices i where ${ofCompany}
      order by i.issued_on desc nulls last, i.id desc limit $${next} offset $${next + 1}`,
    },
  };
}

/** The filters of a list, over an alias. @param first the parameter of the first of `invoiceFilterValues` */
export function matchesInvoiceFilters(alias: string, first: number): string {
  const [status, wmsState, since, search] = [0, 1, 2, 3].map((place) => `$${first + place}`);
  return `(${status}::text is null or ${alias}.status = ${status}) and (${wmsState}::text is null or ${alias}.wms_state = ${wmsState})
      and ${isUpdatedSince(alias, String(since))} and (${search}::text is null or fold(${alias}.number) like (select search_pattern(${search})))`;
}

/** The parameters of the filters, in their order. */
export function invoiceFilterValues({ search, status, wmsState, since }: InvoiceFilters): (string | null)[] {
  return [status, wmsState ?? null, since ?? null, search];
}

const fewStatement: Statement = {
  name: "page_few_invoices",
  text: fewText({
    table: "invoices",
    columns: columnsOf(listedInvoiceColumns, "k"),
    order: "k.issued_on desc nulls last, k.id desc",
    listed: "k.company_id = $5",
    matches: matchesInvoiceFilters("k", 6),
    parent: "select from companies c where c.tenant_id = $1 and c.id = $5 and c.deleted_at is null",
  }),
};

/**
 * One page of a company's invoices, newest first, and the number of all matches; null for an unknown company.
 * @param among the ids that the list is limited to; null: it is not
 */
export async function listInvoices(
  tenant: TenantId,
  database: Database,
  companyId: string,
  asked: InvoiceFilters,
  page: PageQuery,
  among: string[] | null = null,
): Promise<ListPage | null> {
  // These take longer the more invoices the company has.
  const reader = asked.search === null && asked.since === undefined ? database.quick : database.slow;
  if (among !== null) {
    const parameters = [page.perPage, page.offset, among, companyId, ...invoiceFilterValues(asked)];
    return fewPage(await reader.read(tenant, fewStatement, parameters));
  }
  const active = filterNames.filter((name) => (asked[name] ?? null) !== null);
  const parameters = [companyId, ...active.map((name) => asked[name] ?? null)];
  return await findListPage(reader, tenant, lists[nameOf(active)] as List, parameters, page);
}

const byNumberStatement: Statement = {
  name: "look_up_invoices_by_number",
  text: "select id from invoices where tenant_id = $1 and number = $2",
};

/** The look-ups of the list. A number is compared as it is stored. */
export const invoiceLookUps = lookUpsOf("invoice", [{ name: "number", statement: byNumberStatement }]);
