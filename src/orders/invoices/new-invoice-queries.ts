import { quickQuery, slowQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Selected } from "../../platform/postgres/statement.ts";

/** The number of a company's newest invoices that are searched for one with both dates. */
const LOOKED_THROUGH = 100;

const terms = selectList({
  /** From the day of issue to the due day; null if no invoice has both in this order. */
  days: column.numberOrNull("t.days"),
  currency: "t.currency",
  /** The number of the invoice that was created last in the workspace. */
  lastNumber: "l.number",
});

/** The habits of a workspace and of a company, from which a new invoice starts. */
export type InvoiceTerms = Selected<typeof terms>;

export const findTerms = quickQuery<[companyId: string]>(
  "find_terms",
  `select ${terms.sql}
  from (select) one
  left join lateral (
    select due_on - issued_on as days, currency from (
      select id, issued_on, due_on, currency from invoices
      where tenant_id = $1 and company_id = $2 order by issued_on desc nulls last, id desc limit ${LOOKED_THROUGH}
    ) newest
    where due_on >= issued_on order by issued_on desc, id desc limit 1
  ) t on true
  left join lateral (select number from invoices where tenant_id = $1 order by id desc limit 1) l on true`,
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
