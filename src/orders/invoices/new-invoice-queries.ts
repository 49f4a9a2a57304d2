import { quickQuery, slowQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Selected } from "../../platform/postgres/statement.ts";

const terms = selectList({
  /** From the day of issue to the due day, by the terms of the company or of the workspace. */
  days: column.number("payment_days_of($1, $2)"),
  currency: "t.currency",
  /** The number of the invoice that was created last in the workspace. */
  lastNumber: "l.number",
  lastIssuedOn: "l.issued_on",
});

/** The habits of a workspace and of a company, from which a new invoice starts. */
export type InvoiceTerms = Selected<typeof terms>;

export const findTerms = quickQuery<[companyId: string]>(
  "find_terms",
  `select ${terms.sql}
  from (select) one
  left join lateral (
    select currency from invoices
    where tenant_id = $1 and company_id = $2 order by issued_on desc nulls last, id desc limit 1
  ) t on true
  left join lateral (select number, issued_on from invoices where tenant_id = $1 order by id desc limit 1) l on true`,
).only(terms.read);

/** Limits of the earlier lines: the invoices that are read, and their lines with a SKU. */
const [MOST_INVOICES, MOST_LINES] = [500, 500];

const line = selectList({
  sku: column.text("line ->> 'sku'"),
  description: column.text("line ->> 'description'"),
  unit_price: column.text("line ->> 'unit_price'"),
  unit: "line ->> 'unit'",
  vat_rate: "line ->> 'vat_rate'",
});

/** The parts of an earlier line that a new one may repeat. */
export type EarlierLine = Selected<typeof line>;

/** The newest lines of the workspace with a SKU, each SKU once. */
export const listEarlierLines = slowQuery(
  "list_earlier_lines",
  // The limit ends the reading, so further invoices are not parsed.
  `select ${line.sql}
  from (select lines from invoices where tenant_id = $1 order by id desc limit ${MOST_INVOICES}) i
  cross join lateral json_array_elements(i.lines::json) line
  where line ->> 'sku' is not null limit ${MOST_LINES}`,
).of((rows) => {
  const newest = new Map<string, EarlierLine>();
  for (const each of rows.map(line.read)) newest.getOrInsert(each.sku, each);
  return [...newest.values()];
});
