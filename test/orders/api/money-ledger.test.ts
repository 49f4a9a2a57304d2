import assert from "node:assert/strict";
import { test } from "node:test";
import { make } from "../../doors/api/resources.ts";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";
import { runs } from "../../runs.ts";

/**
 * Random invoices, payments, refunds, deletions, statuses, totals and terms, by each door of the API, beside a model in
 * whole cents: each invoice, and each sum of the reports and lists, is that of the model, at every step.
 */
const server = await startServer();
const tenant = await server.createTenant();
const member = await signedIn(server, tenant);

type Payment = { id: number; cents: number; on: string };
type Modelled = {
  id: number;
  company: number;
  number: string;
  total: number;
  status: string;
  issued: string;
  due: string;
  payments: Payment[];
};

const DAYS = ["2025-12-31", "2026-01-31", "2026-03-31", "2026-06-30", "2026-08-31", "2026-10-31", "2026-11-15"];
const AS_OF = ["2026-01-31", "2026-07-15", "2026-11-15", "2027-06-30"];
const BUCKETS = ["not_due", "days_1_30", "days_31_60", "days_61_90", "days_over_90"];

let seed = Number(process.env.LIAISON_TEST_SEED ?? 20261128);
function random(below: number): number {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
  return (seed >> 8) % below;
}
const oneOf = <T>(values: readonly T[]): T => values[random(values.length)] as T;
const inCents = (text: string) => Math.round(Number(text) * 100);
const money = (cents: number) => (cents / 100).toFixed(2);
const paidOf = ({ payments }: Modelled) => payments.reduce((sum, { cents }) => sum + cents, 0);
const isSettled = (total: number, paid: number) => total > 0 && paid >= total;

/** What follows from the payments and the total of an invoice. */
function follow(invoice: Modelled): void {
  if (["issued", "paid"].includes(invoice.status)) {
    invoice.status = isSettled(invoice.total, paidOf(invoice)) ? "paid" : "issued";
  }
}

test("every sum of money is the sum of its rows, whatever happens to them", async () => {
  const companies = await Promise.all([0, 1, 2].map(async () => Number((await make(tenant, ["Company"])).Company)));
  const invoices: Modelled[] = [];
  for (let step = 0; step < runs(120); step++) {
    await change(invoices, companies, step);
    if (step % 10 === 9) await compare(invoices);
  }
});

async function change(invoices: Modelled[], companies: readonly number[], step: number): Promise<void> {
  const invoice = oneOf(invoices);
  const kind = random(10);
  if (invoice === undefined || kind < 3) return void invoices.push(await created(companies, step));
  const path = `/api/v1/invoices/${invoice.id}`;
  if (kind < 6) {
    const refund = random(4) === 0;
    const cents = (refund ? -1 : 1) * (1 + random(refund ? 3_000 : 9_000));
    const on = oneOf(DAYS);
    const body = { amount: money(cents), paid_on: on };
    const answer =
      random(2) === 0
        ? await tenant.post(`${path}/payments`, body)
        : await tenant.post("/api/v1/payments/batch", { items: [{ ...body, invoice_number: invoice.number }] });
    const isRefused = invoice.status === "draft" || (invoice.status === "cancelled" && !refund);
    const id = answer.body.data?.id ?? answer.body.results?.[0].id ?? null;
    assert.equal(id === null, isRefused, answer.text);
    if (isRefused) return;
    invoice.payments.push({ id, cents, on });
    return follow(invoice);
  }
  if (kind === 6) {
    const payment = oneOf(invoice.payments);
    if (payment === undefined) return;
    assert.equal((await tenant.delete(`/api/v1/payments/${payment.id}`)).status, 200);
    invoice.payments.splice(invoice.payments.indexOf(payment), 1);
    return follow(invoice);
  }
  if (kind === 7) {
    invoice.total = 1 + random(20_000);
    await tenant.put(path, { total: money(invoice.total) });
    return follow(invoice);
  }
  const status = oneOf(["issued", "paid", "cancelled", "draft"]);
  await tenant.put(path, { status });
  await statusInModel(invoice, status);
}

async function created(companies: readonly number[], step: number): Promise<Modelled> {
  const [company, total, status] = [oneOf(companies), 1 + random(20_000), oneOf(["issued", "issued", "paid", "draft"])];
  const [issued, due] = [oneOf(DAYS), oneOf(DAYS)];
  const number = `LEDGER-${step}`;
  const body = { number, total: money(total), currency: "RON", status, issued_on: issued, due_on: due };
  const { data } = (await tenant.post(`/api/v1/companies/${company}/invoices`, body)).body;
  const invoice: Modelled = { id: data.id, company, number, total, status, issued, due, payments: [] };
  if (status === "paid") invoice.payments = await stored(invoice);
  return invoice;
}

/** The payments that the program has recorded itself have ids and days that only it knows. */
async function stored({ id }: Modelled): Promise<Payment[]> {
  const { data } = (await tenant.get(`/api/v1/invoices/${id}/payments?per_page=200`)).body;
  return data.map((each: { id: number; amount: string; paid_on: string }) => {
    return { id: each.id, cents: inCents(each.amount), on: each.paid_on };
  });
}

async function statusInModel(invoice: Modelled, status: string): Promise<void> {
  const before = invoice.status;
  const rest = invoice.total - paidOf(invoice);
  invoice.status = status;
  if (status === "paid" && before !== "paid" && rest > 0) {
    const now = await stored(invoice);
    assert.equal(now.length, invoice.payments.length + 1);
    assert.equal(now.at(-1)?.cents, rest);
    invoice.payments = now;
  } else if (status === "issued" && before === "paid") {
    while (isSettled(invoice.total, paidOf(invoice))) invoice.payments.pop();
  } else if (status === "draft") invoice.payments = [];
  else follow(invoice);
}

async function compare(invoices: readonly Modelled[]): Promise<void> {
  for (const invoice of invoices) {
    const { data } = (await tenant.get(`/api/v1/invoices/${invoice.id}`)).body;
    const paid = paidOf(invoice);
    const seen = [data.status, inCents(data.paid ?? "0"), inCents(data.left ?? data.total)];
    assert.deepEqual(seen, [invoice.status, paid, invoice.total - paid], invoice.number);
  }
  const rows = await server.sql(
    `select i.id from invoices i where i.tenant_id = $1 and i.paid <> coalesce((select sum(p.amount) from payments p
       where p.tenant_id = $1 and p.invoice_id = i.id and p.deleted_at is null), 0)`,
    [tenant.id],
  );
  assert.deepEqual(rows, []);
  for (const day of AS_OF) {
    const answer = (await tenant.get(`/api/v1/reports/receivables?as_of=${day}&per_page=200`)).body.data;
    const expected = ageing(invoices, day);
    const [sums = {}] = answer.totals;
    const figures = ["owed", "overdue", ...BUCKETS, "paid_too_much"];
    const seen = Object.fromEntries(figures.map((name) => [name, inCents(sums[name] ?? "0")]));
    assert.deepEqual(seen, expected, day);
    const ofCompanies = answer.companies.map((each: Record<string, string>) => inCents(each.owed ?? "0"));
    assert.equal(
      ofCompanies.reduce((sum: number, each: number) => sum + each, 0),
      expected.owed,
    );
  }
  await compareSales(invoices);
  await compareLists(invoices);
}

async function compareSales(invoices: readonly Modelled[]): Promise<void> {
  for (const [from, to] of [
    ["2026-01-01", "2026-11-30"],
    ["2026-03-31", "2026-08-31"],
  ] as const) {
    const isSold = ({ status, issued }: Modelled) =>
      ["issued", "paid"].includes(status) && issued >= from && issued <= to;
    const sold = invoices.filter(isSold);
    const expected = [sold.length, sold.reduce((sum, { total }) => sum + total, 0)];
    for (const by of ["company", "month"]) {
      const { data } = (await tenant.get(`/api/v1/reports/sales?from=${from}&to=${to}&by=${by}&per_page=200`)).body;
      const [all = { invoices: 0, sold: "0" }] = data.totals;
      assert.deepEqual([all.invoices, inCents(all.sold)], expected, `${from} by ${by}`);
      for (const parts of [data.rows, data.columns]) {
        const sum = parts.reduce((cents: number, part: { sold: string }) => cents + inCents(part.sold), 0);
        assert.equal(sum, expected[1], `rows and columns of ${from} by ${by}`);
      }
    }
  }
}

/** The sums of lists, which figures of /money link to. All days of payment have passed. */
async function compareLists(invoices: readonly Modelled[]): Promise<void> {
  const { owed = 0, paid_too_much: tooMuch = 0 } = ageing(invoices, "2027-06-30");
  for (const [query, cents] of [
    ["state=owed", owed],
    ["state=owed&late=overdue", owed],
    ["state=paid_too_much", 0 - tooMuch],
  ] as const) {
    const { text } = await member.get(`/orders?${query}`);
    const sum = /<div class="sums">Sum: ([^ <]*)/.exec(text)?.[1] ?? "0";
    assert.equal(inCents(sum.replaceAll(",", "")), cents, query);
  }
  const { text } = await member.get("/money");
  const shown = /<dt>Owed to us<\/dt><dd>(?:<a [^>]*>)?([\d.,]+)/.exec(text)?.[1] ?? "0";
  assert.equal(inCents(shown.replaceAll(",", "")), owed, "/money");
}

function ageing(invoices: readonly Modelled[], day: string): Record<string, number> {
  const sums = Object.fromEntries(["owed", "overdue", ...BUCKETS, "paid_too_much"].map((name) => [name, 0]));
  const add = (name: string, cents: number) => (sums[name] = (sums[name] ?? 0) + cents);
  for (const { status, total, issued, due, payments } of invoices) {
    if (status === "draft" || issued > day) continue;
    const paid = payments.filter(({ on }) => on <= day).reduce((sum, { cents }) => sum + cents, 0);
    const left = (status === "cancelled" ? 0 : total) - paid;
    if (left < 0) add("paid_too_much", -left);
    if (left <= 0) continue;
    const late = (Date.parse(day) - Date.parse(due)) / 86_400_000;
    const bucket = late < 1 ? 0 : late <= 30 ? 1 : late <= 60 ? 2 : late <= 90 ? 3 : 4;
    add("owed", left);
    if (bucket > 0) add("overdue", left);
    add(String(BUCKETS[bucket]), left);
  }
  return sums;
}

test("a day that does not exist is no day of the ageing, and not today", async () => {
  const { body } = await tenant.get("/api/v1/reports/receivables?as_of=2026-02-30");
  assert.deepEqual([body.data.totals, body.data.companies], [[], []]);
});
