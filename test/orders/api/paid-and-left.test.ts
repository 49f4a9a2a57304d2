import assert from "node:assert/strict";
import { test } from "node:test";
import { make } from "../../doors/api/resources.ts";
import { startServer } from "../../harness.ts";
import { SEED, runs } from "../../properties.ts";

/**
 * Random invoices, payments, refunds, deletions, statuses and totals, by each door of the API, beside a model in whole
 * cents: each invoice is that of the model. The sums of reports and lists: payments/every-sum-of-money.test.ts.
 */
const server = await startServer();
const tenant = await server.createTenant();

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

let seed = SEED;
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

test("what is paid and left of an invoice, and its status, follow from its payments, whatever happens to them", async () => {
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
}

test("a day that does not exist is no day of the ageing, and not today", async () => {
  const { body } = await tenant.get("/api/v1/reports/receivables?as_of=2026-02-30");
  assert.deepEqual([body.data.totals, body.data.companies], [[], []]);
});
