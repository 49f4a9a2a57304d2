import assert from "node:assert/strict";
import {
  amountsIn,
  byCurrency,
  cents,
  csvOf,
  rowsOf,
  shown,
  SOLD,
  textOf,
  type Place,
  type Row,
} from "./sums-of-rows.ts";

/** The keys of the report of sales, as SQL of an invoice `i`, its company `c` and one of its lines `l`. */
const KEYS = {
  company: "i.company_id::text",
  owner: "c.assigned_to::text",
  city: "lower(c.city)",
  month: "to_char(s.day, 'YYYY-MM')",
  product: "l.sku",
};

/** Sales of a period at the API, on /sales and in its file, by each dimension. */
export async function compareSales(
  place: Place,
  [from, to]: readonly [string, string],
  by: keyof typeof KEYS,
): Promise<void> {
  const { tenant, member } = place;
  const isOfLines = by === "product";
  const amount = isOfLines ? "l.amount" : "i.total";
  const rows = await rowsOf(
    place,
    `select ${KEYS[by]} as key, coalesce(i.currency, '') as currency, coalesce(sum(${amount}) filter (where not s.is_before), 0) as sold,
      coalesce(sum(${amount}) filter (where s.is_before), 0) as before,
      (count(distinct i.id) filter (where not s.is_before))::text as invoices, (count(distinct i.id) filter (where s.is_before))::text as earlier
    from invoices i join companies c on c.tenant_id = $1 and c.id = i.company_id
    cross join lateral (
      select false as is_before, i.issued_on as day where i.issued_on between $2::date and $3::date
      union all select true, (i.issued_on + interval '1 year')::date
        where i.issued_on between $2::date - interval '1 year' and $3::date - interval '1 year'
    ) s
    ${isOfLines ? "cross join lateral (select r.sku, sum(r.quantity * r.unit_price) as amount from json_to_recordset(i.lines::json) r(sku text, quantity numeric, unit_price numeric) group by 1) l" : ""}
    where i.tenant_id = $1 and ${SOLD} group by 1, 2`,
    from,
    to,
  );
  const query = `from=${from}&to=${to}&by=${by}`;
  const { data } = (await tenant.get(`/api/v1/reports/sales?${query}&per_page=200`)).body;
  const said = (
    key: string | null | undefined,
    currency: unknown,
    sold: unknown,
    before: unknown,
    ...counts: unknown[]
  ) => [(key ?? "").toLowerCase(), currency ?? "", cents(sold), cents(before), ...counts].join(" ");
  assert.deepEqual(
    data.rows
      .map((row: Row) => said(row.key, row.currency, row.sold, row.sold_before, row.invoices, row.invoices_before))
      .toSorted(),
    rows.map((row) => said(row.key, row.currency, row.sold, row.before, row.invoices, row.earlier)).toSorted(),
    `the API's sales, ${query}`,
  );
  const [, ...lines] = csvOf((await member.get(`/sales/export?${query}`)).text);
  assert.deepEqual(
    lines.map(([, currency, sold, invoices, , before]) => said("", currency, sold, before, invoices)).toSorted(),
    rows.map((row) => said("", row.currency, row.sold, row.before, row.invoices)).toSorted(),
    `the file of /sales?${query}`,
  );
  if (isOfLines) return;
  const ofCurrency = Object.entries(Object.groupBy(rows, ({ currency }) => currency ?? ""));
  const totals = ofCurrency.map(([currency, own = []]) => {
    const sum = (name: string) => own.reduce((all, row) => all + cents(row[name]), 0);
    return [currency, sum("sold"), sum("before"), own.reduce((all, { invoices }) => all + Number(invoices), 0)].join(
      " ",
    );
  });
  assert.deepEqual(
    data.totals
      .map((row: Row) => [row.currency ?? "", cents(row.sold), cents(row.sold_before), row.invoices].join(" "))
      .toSorted(),
    totals.toSorted(),
    `the API's sums of sales, ${query}`,
  );
  for (const name of ["sold", "sold_before"]) {
    assert.deepEqual(
      byCurrency(data.columns.map((row: Row) => [row.currency ?? "", row[name]])),
      byCurrency(data.totals.map((row: Row) => [row.currency ?? "", row[name]])),
      `the columns of ${query}`,
    );
  }
  const [first] = data.totals;
  if (first === undefined) return;
  const { text } = await member.get(`/sales?${query}`);
  const [figure = ""] = /<dl class="figures">.*?<\/dl>/s.exec(text) ?? [];
  const currency = first.currency ?? "";
  const [sold, before] = amountsIn(textOf(figure));
  assert.deepEqual(
    [sold, before],
    [shown(cents(first.sold), currency), shown(cents(first.sold_before), currency)],
    `the figures of /sales?${query}`,
  );
}
