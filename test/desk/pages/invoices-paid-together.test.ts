import assert from "node:assert/strict";
import { test } from "node:test";
import { make } from "../../doors/api/resources.ts";
import { signedIn, type Member } from "../../doors/pages/visitor.ts";
import { startImportServer } from "../../exchange/imports/import-server.ts";
import { poll } from "../../program.ts";
import { runWorker } from "../../running-worker.ts";

/** "Mark paid" of selected invoices with a day, and the sums of everything that a list of invoices lists. */
const server = await startImportServer();
runWorker(server);

const DAY = "2026-11-20";

async function firm() {
  const tenant = await server.createTenant();
  const { Company } = await make(tenant, ["Company"]);
  const invoice = async (body: object) =>
    (await tenant.post(`/api/v1/companies/${Company}/invoices`, { currency: "RON", due_on: "2026-11-01", ...body }))
      .body.data.id as number;
  const state = async (id: number) => {
    const { status, paid = "0" } = (await tenant.get(`/api/v1/invoices/${id}`)).body.data;
    return [status, Number(paid)];
  };
  const paymentsOf = async (id: number) => (await tenant.get(`/api/v1/invoices/${id}/payments`)).body.data;
  return { tenant, member: await signedIn(server, tenant), company: Number(Company), invoice, state, paymentsOf };
}

const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
const sumsIn = (html: string) => textOf(/<div class="sums">.*?<\/div>/s.exec(html)?.[0] ?? "").trim();
const numbersIn = (html: string) =>
  [...html.matchAll(/<a href="\/invoices\/\d+">([^<]*)</g)].map(([, number]) => number);

async function undone(member: Member, path: string): Promise<void> {
  await member.post(`${path}/undo`, {});
  await poll("the end of the undo", async () => !(await member.get(path)).text.includes("data-refresh"));
}

test("selected invoices are paid with a day, each what is left of it; again changes nothing; it is undone", async () => {
  const { tenant, member, invoice, state, paymentsOf } = await firm();
  const [whole, part, paid, draft, cancelled, without, credit] = await Promise.all([
    invoice({ number: "P-1", total: "100.50" }),
    invoice({ number: "P-2", total: "80.00" }),
    invoice({ number: "P-3", total: "10.00", status: "paid" }),
    invoice({ number: "P-4", total: "20.00", status: "draft" }),
    invoice({ number: "P-5", total: "30.00", status: "cancelled" }),
    invoice({ number: "P-6" }),
    invoice({ number: "P-7", total: "-40.00" }),
  ]);
  await tenant.post(`/api/v1/invoices/${part}/payments`, { amount: "30.00", paid_on: "2026-11-03" });
  const id = [whole, part, paid, draft, cancelled, without, credit];
  const form = { id: id.map(String), paid_on: DAY, to: "/orders" };
  assert.equal((await member.post("/orders/pay", { ...form, paid_on: "soon" })).location, "/orders");
  assert.match((await member.get("/orders")).text, /enter the day of the payment/);
  await member.post("/orders/pay", form);
  const { text } = await member.get("/orders");
  assert.match(
    textOf(text),
    /3 invoices marked as paid\. 3 invoices were skipped: drafts, cancelled, or without a total\./,
  );
  assert.deepEqual(await Promise.all(id.map(state)), [
    ["paid", 100.5],
    ["paid", 80],
    ["paid", 10],
    ["draft", 0],
    ["cancelled", 0],
    ["issued", 0],
    ["paid", -40],
  ]);
  const [newest, first] = (await paymentsOf(part)).toSorted((a: { id: number }, b: { id: number }) => b.id - a.id);
  assert.deepEqual([newest.amount, newest.paid_on, newest.means], ["50.00", DAY, "other"]);
  assert.equal(Number(first.amount), 30);
  const path = /action="(\/imports\/\d+)\/undo"/.exec(text)?.[1] ?? "";
  await member.post("/orders/pay", form);
  assert.match(textOf((await member.get("/orders")).text), /0 invoices marked as paid\./);
  await undone(member, path);
  assert.deepEqual(await Promise.all([whole, part, paid, credit].map(state)), [
    ["issued", 0],
    ["issued", 30],
    ["paid", 10],
    ["issued", 0],
  ]);
  const stranger = await firm();
  await stranger.member.post("/orders/pay", form);
  assert.deepEqual(await state(whole), ["issued", 0]);
});

test("all that match are paid in a job that is undone; the lists say what all of them are", async () => {
  const { tenant, member, company } = await firm();
  await server.sql(
    `insert into invoices (tenant_id, company_id, number, status, total, currency, issued_on, due_on)
     select $1, $2, 'J-' || lpad(g::text, 4, '0'), case when g % 10 = 0 then 'draft' else 'issued' end, 10.25,
       case when g % 5 = 0 then 'EUR' else 'RON' end, '2026-11-01', date '2026-11-10' + g % 3
     from generate_series(1, 200) g`,
    [tenant.id, company],
  );
  const [first] = await server.sql("select id from invoices where tenant_id = $1 and number = 'J-0001'", [tenant.id]);
  await tenant.post(`/api/v1/invoices/${Number(first?.id)}/payments`, { amount: "4.25", paid_on: "2026-11-03" });
  const sums = async (path: string) => sumsIn((await member.get(path)).text);
  assert.equal(await sums("/orders"), "Sum: 1,640.00 RON · 410.00 EUR");
  assert.equal(await sums("/orders?state=unpaid"), "Sum: 1,635.75 RON · 205.00 EUR");
  assert.equal(await sums("/orders?state=overdue&search=J-00"), "Sum: 815.75 RON · 102.50 EUR");
  assert.equal(await sums(`/companies/${company}/invoices`), "Sum: 1,640.00 RON · 410.00 EUR");
  assert.equal(await sums(`/companies/${company}/invoices?status=issued`), "Sum: 1,635.75 RON · 205.00 EUR");
  const sorted = await member.get("/orders?state=unpaid&sort=-due_on");
  assert.match(String(numbersIn(sorted.text)[0]), /^J-0/);
  const page = await member.get("/orders?state=unpaid");
  const value = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page.text)?.[1] ?? "";
  assert.match(page.text, /data-sums=" · 1,635\.75 RON · 205\.00 EUR"/);
  const id = [...page.text.matchAll(/name="id" value="(\d+)"/g)].map(([, found = ""]) => found);
  const form = { id, all: "1", rows: value("rows"), matching: value("matching"), paid_on: DAY };
  const path = String((await member.post("/orders/pay", form)).location);
  assert.match(path, /^\/imports\/\d+$/);
  await poll("the end of the change", async () => !(await member.get(path)).text.includes("data-refresh"));
  const done = await member.get(path);
  assert.match(done.text, /<h1>Mark paid: 20 Nov 2026<\/h1>/);
  assert.match(done.text, /href="\/orders">To the list/);
  const counted = async () =>
    (
      await server.sql("select status, count(*)::int from invoices where tenant_id = $1 group by 1 order by 1", [
        tenant.id,
      ])
    ).map(({ status, count }) => [status, count]);
  assert.deepEqual(await counted(), [
    ["draft", 20],
    ["paid", 180],
  ]);
  assert.equal(await sums("/orders?state=unpaid"), "");
  await undone(member, path);
  assert.deepEqual(await counted(), [
    ["draft", 20],
    ["issued", 180],
  ]);
  assert.equal(await sums("/orders?state=unpaid"), "Sum: 1,635.75 RON · 205.00 EUR");
});

test("a list of invoices is sorted by company and by the day of payment", async () => {
  const { tenant, member } = await firm();
  for (const [name, due] of [
    ["beta", "2026-11-05"],
    ["Alfa", "2026-11-09"],
    ["Gama", "2026-11-01"],
  ]) {
    const { id } = (await tenant.post("/api/v1/companies", { name })).body.data;
    await tenant.post(`/api/v1/companies/${id}/invoices`, {
      number: name,
      total: "1.00",
      issued_on: "2026-10-01",
      due_on: due,
    });
  }
  const listed = async (sort: string) => numbersIn((await member.get(`/orders?sort=${sort}`)).text);
  assert.deepEqual(await listed("company"), ["Alfa", "beta", "Gama"]);
  assert.deepEqual(await listed("-company"), ["Gama", "beta", "Alfa"]);
  assert.deepEqual(await listed("due_on"), ["Gama", "beta", "Alfa"]);
  assert.deepEqual(await listed("-due_on"), ["Alfa", "beta", "Gama"]);
});
