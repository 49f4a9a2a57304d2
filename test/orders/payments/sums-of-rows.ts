import assert from "node:assert/strict";
import type { Member } from "../../doors/pages/visitor.ts";
import type { TestServer, TestTenant } from "../../harness.ts";

/**
 * Every sum of money at every door beside the sum of its rows, by statements that know nothing of the program's. In
 * hundredths, since floating-point sums are not exact.
 */
export type Place = { server: TestServer; tenant: TestTenant; member: Member };
export type Row = Record<string, string | null>;
type Cents = Record<string, number>;

const BUCKETS = ["not_due", "days_1_30", "days_31_60", "days_61_90", "days_over_90"];
const FIGURES = ["owed", "overdue", ...BUCKETS, "paid_too_much"];
const TODAY = "(select (now() at time zone t.time_zone)::date from tenants t where t.id = $1)";
export const SOLD = "i.status in ('issued', 'paid')";
const TOTAL = "case when i.status = 'cancelled' then 0 else i.total end";

export const cents = (text: unknown): number => Math.round(Number(text ?? 0) * 100);
/** The amounts of a text of pages, each with its currency: `1,234.50 RON · 20.00 EUR`. */
export const amountsIn = (text: string): string[] =>
  [...text.matchAll(/[−-]?[\d,]+\.\d\d(?: [A-Z]{3})?/g)].map(([found]) => found.replace("−", "-"));
export const shown = (amount: number, currency: string): string =>
  `${(amount / 100).toLocaleString("en", { minimumFractionDigits: 2 })} ${currency}`.trim();
export const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
export const csvOf = (text: string) =>
  text
    .replace("\ufeff", "")
    .trimEnd()
    .split(/\r?\n/)
    .map((line) =>
      [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, cell = ""]) => cell.replaceAll('"', "")),
    );

export async function rowsOf({ server, tenant }: Place, sql: string, ...parameters: unknown[]): Promise<Row[]> {
  return (await server.sql(sql, [tenant.id, ...parameters])) as Row[];
}

/** What the rows themselves have to obey: what is paid is the sum of the payments, and the status follows. */
export async function assertRowsObey(place: Place): Promise<void> {
  const wrong = await rowsOf(
    place,
    `select i.number, i.status, i.total, i.paid, p.paid as payments, p.others from invoices i cross join lateral (
      select coalesce(sum(p.amount), 0) as paid, count(*) as count, count(*) filter (where p.company_id <> i.company_id) as others
      from payments p where p.tenant_id = $1 and p.invoice_id = i.id and p.deleted_at is null) p
    where i.tenant_id = $1 and (i.paid <> p.paid or p.others > 0 or (i.status = 'draft' and p.count > 0)
      or (i.total > 0 and ${SOLD} and (i.status = 'paid') <> (i.paid >= i.total))
      or (i.total < 0 and ${SOLD} and (i.status = 'paid') <> (i.paid <= i.total)))`,
  );
  assert.deepEqual(wrong, []);
}

/** @param asOf a day, or null for today */
async function debts(place: Place, asOf: string | null): Promise<(Row & { currency: string })[]> {
  const late = "(s.day - s.due)";
  const rest = (condition: string) => `coalesce(sum(greatest(s.rest, 0)) filter (where ${condition}), 0)`;
  const rows = await rowsOf(
    place,
    `with s as (
      select i.company_id, coalesce(i.currency, '') as currency, coalesce(i.due_on, i.terms_due_on) as due, coalesce($2::date, ${TODAY}) as day,
        ${TOTAL} - coalesce((select sum(p.amount) from payments p where p.tenant_id = $1 and p.invoice_id = i.id
          and p.deleted_at is null and ($2::date is null or p.paid_on <= $2)), 0) as rest
      from invoices i join tenants t on t.id = $1
      where i.tenant_id = $1 and i.status <> 'draft'
        and ($2::date is null or coalesce(i.issued_on, (i.created_at at time zone t.time_zone)::date) <= $2)
    )
    select c.id::text as company, c.name, c.assigned_to::text as owner, s.currency, sum(greatest(s.rest, 0)) as owed, ${rest(`${late} > 0`)} as overdue,
      ${rest(`${late} > 0 is not true`)} as not_due, ${rest(`${late} between 1 and 30`)} as days_1_30,
      ${rest(`${late} between 31 and 60`)} as days_31_60, ${rest(`${late} between 61 and 90`)} as days_61_90,
      ${rest(`${late} > 90`)} as days_over_90, -sum(least(s.rest, 0)) as paid_too_much, count(*) filter (where s.rest > 0)::text as invoices
    from s join companies c on c.tenant_id = $1 and c.id = s.company_id
    where s.rest <> 0 group by c.id, c.name, c.assigned_to, s.currency`,
    asOf,
  );
  return rows as (Row & { currency: string })[];
}

const figuresOf = (row: Row): Cents => Object.fromEntries(FIGURES.map((name) => [name, cents(row[name])]));
const summed = (rows: readonly Row[]): Cents =>
  Object.fromEntries(FIGURES.map((name) => [name, rows.reduce((sum, row) => sum + cents(row[name]), 0)]));

/** The debts at the API, and on /money with its file. @param filter a parameter of their query, or "" */
export async function compareDebts(place: Place, asOf: string | null, filter: string): Promise<void> {
  const { tenant, member } = place;
  const query = [asOf === null ? "" : `as_of=${asOf}`, filter].filter(Boolean).join("&");
  const [name = "", value = ""] = filter.split("=");
  const isListed = (row: Row) =>
    name === "currency"
      ? row.currency === value
      : name === "assigned_to"
        ? (row.owner ?? "0") === value
        : name === "" || cents(row.overdue) > 0;
  const rows = (await debts(place, asOf)).filter(isListed);
  const { data } = (await tenant.get(`/api/v1/reports/receivables?${query}&per_page=200`)).body;
  const figuresBy = (key: (row: Row) => string, of: readonly Row[]) =>
    Object.fromEntries(of.map((row) => [key(row), { ...figuresOf(row), invoices: Number(row.invoices) }]));
  assert.deepEqual(
    figuresBy(({ company_id: id, currency }) => `${id} ${currency ?? ""}`, data.companies),
    figuresBy(({ company, currency }) => `${company} ${currency}`, rows),
    `the API's debts, ${query}`,
  );
  const ofCurrency = Object.entries(Object.groupBy(rows, ({ currency }) => currency));
  const totals = Object.fromEntries(ofCurrency.map(([currency, own = []]) => [currency, summed(own)]));
  assert.deepEqual(
    Object.fromEntries(data.totals.map((row: Row) => [row.currency ?? "", figuresOf(row)])),
    totals,
    `the API's sums of debts, ${query}`,
  );
  const { text } = await member.get(`/money?${query}`);
  const figures = [...text.matchAll(/<dl class="figures">.*?<\/dl>/gs)].map(([list]) =>
    [...list.matchAll(/<dd>(?:<a [^>]*>)?([^<]*)/g)].map(([, figure = ""]) => figure).join("|"),
  );
  const expected = Object.entries(totals).map(([currency, sums]) => {
    const others = [...BUCKETS, "paid_too_much"].filter((each) => each !== "paid_too_much" || sums[each] !== 0);
    return [shown(sums.owed ?? 0, currency), ...others.map((each) => shown(sums[each] ?? 0, ""))].join("|");
  });
  assert.deepEqual(figures.toSorted(), expected.toSorted(), `the figures of /money?${query}`);
  const [, ...lines] = csvOf((await member.get(`/money/export?${query}`)).text);
  assert.deepEqual(
    lines
      .map(([company, currency, ...cells]) =>
        [company, currency, ...cells.slice(0, FIGURES.length).map(cents)].join(" "),
      )
      .toSorted(),
    rows.map((row) => [row.name, row.currency, ...Object.values(figuresOf(row))].join(" ")).toSorted(),
    `the file of /money?${query}`,
  );
}

/** The sums of lists of invoices, and of Today. */
export async function compareLists(place: Place): Promise<void> {
  const rest = `(${TOTAL} - i.paid)`;
  const due = `coalesce(i.due_on, i.terms_due_on) < ${TODAY}`;
  const isOverdue = `i.status = 'issued' and ${due} and (i.total < i.paid) is not true`;
  const lists: [path: string, amount: string, condition: string][] = [
    ["/orders", "i.total", "true"],
    ["/orders?state=unpaid", "i.total - i.paid", "i.status = 'issued'"],
    ["/orders?state=overdue", "i.total - i.paid", isOverdue],
    ["/orders?state=owed", rest, `i.status <> 'draft' and ${rest} > 0`],
    ["/orders?state=owed&late=overdue", rest, `i.status <> 'draft' and ${rest} > 0 and ${due}`],
    ["/orders?state=paid_too_much", rest, `i.status <> 'draft' and ${rest} < 0`],
    [
      "/orders?state=sold&from=2026-01-01&to=2026-12-31",
      "i.total",
      `${SOLD} and i.issued_on between '2026-01-01' and '2026-12-31'`,
    ],
  ];
  for (const [path, amount, condition] of lists) {
    const { text } = await place.member.get(path);
    const found = /<div class="sums">(.*?)<\/div>/s.exec(text)?.[1] ?? "";
    assert.deepEqual(amountsIn(textOf(found)).toSorted(), await sumsOf(place, amount, condition), path);
  }
  const { text } = await place.member.get("/today?whose=all");
  const [, heading = ""] = /<section class="section today" id="overdue"><header>(.*?)<\/header>/s.exec(text) ?? [];
  const [, sums = ""] = /class="muted sums">(.*?)<\/span>/s.exec(heading) ?? [];
  assert.deepEqual(amountsIn(sums).toSorted(), await sumsOf(place, "i.total - i.paid", isOverdue), "Today's sums");
  const [{ count } = {}] = await rowsOf(
    place,
    `select count(*)::text from invoices i where i.tenant_id = $1 and ${isOverdue}`,
  );
  assert.equal(/class="count">(\d+)/.exec(heading)?.[1] ?? "0", count, "Today's number");
}

async function sumsOf(place: Place, amount: string, condition: string): Promise<string[]> {
  const rows = await rowsOf(
    place,
    `select coalesce(i.currency, '') as currency, sum(${amount}) as sum from invoices i
    where i.tenant_id = $1 and ${amount} is not null and ${condition} group by i.currency`,
  );
  return rows.map(({ currency, sum }) => shown(cents(sum), currency ?? "")).toSorted();
}

/** A company's page, its list of unpaid invoices, and its statement with its file. */
export async function compareCompany(place: Place, company: string): Promise<void> {
  const { member } = place;
  const own = (await debts(place, null)).filter((row) => row.company === company);
  const page = (await member.get(`/companies/${company}`)).text;
  const [, owed = ""] = /<dt>Owed<\/dt><dd>(.*?)<\/dd>/s.exec(page) ?? [];
  const amounts = (name: string) =>
    own
      .filter((row) => cents(row[name]) > 0)
      .map((row) => shown(cents(row[name]), row.currency))
      .toSorted();
  const [, late = ""] = /<span class="late">(.*?)<\/span>/s.exec(owed) ?? [];
  assert.deepEqual(
    amountsIn(textOf(owed.replace(late, "")))
      .filter((each) => !each.startsWith("0.00"))
      .toSorted(),
    amounts("owed"),
    "owed on the company's page",
  );
  assert.deepEqual(amountsIn(late).toSorted(), amounts("overdue"), "overdue on the company's page");

  const list = (await member.get(`/companies/${company}/invoices?status=issued`)).text;
  const [, sums = ""] = /<div class="sums">(.*?)<\/div>/s.exec(list) ?? [];
  const issued = await sumsOf(place, "i.total - i.paid", `i.status = 'issued' and i.company_id = ${Number(company)}`);
  assert.deepEqual(amountsIn(textOf(sums)).toSorted(), issued, "the unpaid invoices of a company");

  const statement = (await member.get(`/companies/${company}/statement?from=2020-01-01`)).text;
  const [, figures = ""] = /<dl class="figures">(.*?)<\/dl>/s.exec(statement) ?? [];
  const said = own.flatMap((row) =>
    ["owed", "overdue", ...(cents(row.paid_too_much) > 0 ? ["paid_too_much"] : [])].map((name) =>
      shown(cents(row[name]), row.currency),
    ),
  );
  assert.deepEqual(amountsIn(textOf(figures)).toSorted(), said.toSorted(), "the figures of the statement");
  const file = (await member.get(`/companies/${company}/statement/export?from=2020-01-01`)).text;
  const [open = "", paid = ""] = file.split(/\r?\n\r?\n/);
  assert.deepEqual(
    byCurrency(
      csvOf(open)
        .slice(1)
        .map((cells) => [cells[3], cells[6]]),
    ),
    byCurrency(own.map((row) => [row.currency, (cents(row.owed) - cents(row.paid_too_much)) / 100])),
    "the open invoices of the statement's file",
  );
  const payments = await rowsOf(
    place,
    `select coalesce(i.currency, '') as currency, sum(p.amount) as sum from payments p join invoices i on i.tenant_id = $1 and i.id = p.invoice_id
    where p.tenant_id = $1 and i.company_id = $2 and p.deleted_at is null group by 1`,
    company,
  );
  assert.deepEqual(
    byCurrency(
      csvOf(paid)
        .slice(1)
        .map((cells) => [cells[3], cells[2]]),
    ),
    byCurrency(payments.map(({ currency, sum }) => [currency, sum])),
    "the payments of the statement's file",
  );
}

export function byCurrency(rows: readonly (readonly [unknown, unknown])[]): Cents {
  const sums: Cents = {};
  for (const [currency, amount] of rows) sums[String(currency)] = (sums[String(currency)] ?? 0) + cents(amount);
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0));
}
