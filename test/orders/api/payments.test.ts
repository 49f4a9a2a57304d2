import assert from "node:assert/strict";
import { test } from "node:test";
import { make } from "../../doors/api/resources.ts";
import { startServer } from "../../harness.ts";

/** What docs/contract.md 14.9 promises of payments, but for what every route and every field have in common. */
const server = await startServer();
const tenant = await server.createTenant();

let serial = 0;

/** A new invoice, and what is known of it and of its payments afterwards. */
async function invoice(values: object) {
  const { Company } = await make(tenant, ["Company"]);
  const number = `PAID-${++serial}`;
  const created = await tenant.post(`/api/v1/companies/${Company}/invoices`, { number, total: "100.00", ...values });
  assert.equal(created.status, 201, created.text);
  const { id } = created.body.data;
  const path = `/api/v1/invoices/${id}`;
  return {
    id,
    number,
    path,
    pay: async (amount: string, more = {}) => await tenant.post(`${path}/payments`, { amount, ...more }),
    put: async (values: object) => await tenant.put(path, values),
    state: async () => {
      const { data } = (await tenant.get(path)).body;
      const { data: payments } = (await tenant.get(`${path}/payments`)).body;
      return [data.status, data.paid, data.left, ...payments.map((each: { amount: string }) => each.amount)];
    },
  };
}

test("an invoice is paid when its payments reach its total, and issued again when they do not", async () => {
  const { id, pay, state, put } = await invoice({});
  const first = await pay("40.5", { paid_on: "2026-11-20", means: "bank", reference: "OP 1" });
  assert.equal(first.status, 201, first.text);
  assert.partialDeepStrictEqual(first.body.data, {
    invoice_id: id,
    amount: "40.5",
    paid_on: "2026-11-20",
    means: "bank",
    reference: "OP 1",
  });
  assert.deepEqual(await state(), ["issued", "40.5", "59.50", "40.5"]);
  const second = (await pay("70")).body.data;
  assert.deepEqual(await state(), ["paid", "110.5", "-10.50", "40.5", "70"]);
  await pay("-10.50");
  assert.deepEqual((await state()).slice(0, 3), ["paid", "100.00", "0.00"]);
  await put({ total: "120.00" });
  assert.deepEqual((await state()).slice(0, 3), ["issued", "100.00", "20.00"]);
  await put({ total: "90.00" });
  assert.deepEqual((await state()).slice(0, 3), ["paid", "100.00", "-10.00"]);
  const gone = await tenant.delete(`/api/v1/payments/${second.id}`);
  assert.deepEqual([gone.status, gone.body], [200, { message: "Payment deleted." }]);
  assert.deepEqual(await state(), ["issued", "30.00", "60.00", "40.5", "-10.50"]);
  assert.equal((await tenant.get(`/api/v1/payments/${second.id}`)).status, 404);
  assert.equal((await tenant.delete(`/api/v1/payments/${second.id}`)).status, 404);
});

test("the status paid is a payment of the rest, and another status takes the newest payments back", async () => {
  const { state, put, pay } = await invoice({});
  await pay("30");
  await put({ status: "paid" });
  assert.deepEqual(await state(), ["paid", "100.00", "0.00", "30", "70.00"]);
  assert.deepEqual((await put({ status: "paid" })).body.data.paid, "100.00");
  await put({ status: "paid", total: "150.00" });
  assert.deepEqual(await state(), ["paid", "150.00", "0.00", "30", "70.00", "50.00"]);
  await put({ status: "issued" });
  assert.deepEqual(await state(), ["issued", "100.00", "50.00", "30", "70.00"]);
  await put({ status: "cancelled" });
  assert.equal((await pay("1")).body.details, "It is cancelled, so it takes refunds only.");
  assert.equal((await pay("-100")).status, 201);
  await put({ status: "issued" });
  await put({ status: "draft" });
  assert.deepEqual(await state(), ["draft", undefined, undefined]);
  const refused = await pay("1");
  assert.deepEqual([refused.status, refused.headers.get("x-error-code")], [422, "payment_refused"]);
});

test("payments of other invoices are no payments to take back, however new they are", async () => {
  const [own, other] = [await invoice({}), await invoice({})];
  await own.put({ status: "paid" });
  await other.pay("10");
  await own.put({ status: "issued" });
  assert.deepEqual(await own.state(), ["issued", undefined, undefined]);
  assert.deepEqual(await other.state(), ["issued", "10", "90.00", "10"]);
});

test("an invoice that is created as paid has its payment; without a total its status says whether it is paid", async () => {
  const paid = await invoice({ status: "paid", issued_on: "2026-01-31" });
  assert.deepEqual(await paid.state(), ["paid", "100.00", "0.00", "100.00"]);
  const [only] = (await tenant.get(`${paid.path}/payments`)).body.data;
  assert.deepEqual([only.paid_on, only.means], ["2026-01-31", "other"]);
  for (const total of [null, "0"]) {
    const { state, put } = await invoice({ total });
    await put({ status: "paid" });
    assert.deepEqual(await state(), ["paid", undefined, undefined]);
    await put({ total: "10" });
    assert.deepEqual(await state(), ["paid", "10", "0", "10"]);
  }
  const credit = await invoice({ total: "-50", status: "paid" });
  assert.deepEqual(await credit.state(), ["paid", "-50", "0", "-50"]);
  await credit.put({ status: "issued" });
  assert.deepEqual(await credit.state(), ["issued", undefined, undefined]);
});

test("payments are listed, walked and followed; the author is in the history", async () => {
  const { id, pay } = await invoice({});
  const since = new Date().toISOString();
  const { data } = (await pay("5", { external: { bank: "TX-1" } })).body;
  const listed = await tenant.get(`/api/v1/payments?updated_since=${since}&per_page=100&search=x`);
  assert.equal(listed.headers.get("x-query-ignored"), "search");
  assert.ok(listed.body.data.some((each: { id: number }) => each.id === data.id));
  const walked = await tenant.get(`/api/v1/payments?cursor=&per_page=1`);
  assert.equal(typeof walked.body.next_cursor, "string");
  const [found] = (await tenant.get("/api/v1/payments?external=bank:TX-1&include=external")).body.data;
  assert.deepEqual([found.id, found.external], [data.id, { bank: "TX-1" }]);
  await tenant.delete(`/api/v1/payments/${data.id}`);
  const changes = (await tenant.get("/api/v1/changes?types=payment&limit=1000")).body.data;
  const own = changes.filter((each: { resource_id: number }) => each.resource_id === data.id);
  assert.deepEqual(
    own.map((each: { action: string }) => each.action),
    ["created", "deleted"],
  );
  assert.deepEqual(own[0].changed.invoice_id, { from: null, to: id });
  // A deleted payment's external id is free.
  assert.equal((await pay("5", { external: { bank: "TX-1" } })).status, 201);
});

test("in a batch, a payment names its invoice; a known external id changes nothing, or is rejected", async () => {
  const [one, draft] = [await invoice({}), await invoice({ status: "draft" })];
  const item = { invoice_id: one.id, amount: "10", paid_on: "2026-11-20", external: { bank: "B-1" } };
  const items = [
    item,
    { ...item, amount: "10.00" },
    { ...item, amount: "11" },
    { invoice_number: one.number, amount: "20" },
    { invoice_id: 999_999_999, amount: "1" },
    { amount: "1" },
    { invoice_id: draft.id, amount: "1" },
    { invoice_id: one.id, amount: 0 },
    { id: 1, delete: true },
  ];
  const outcomes = (answer: { body: { results: { outcome: string }[] } }) =>
    answer.body.results.map(({ outcome }) => outcome);
  const dry = await tenant.post("/api/v1/payments/batch", { items, dry_run: true });
  const answer = await tenant.post("/api/v1/payments/batch", { items });
  assert.deepEqual(outcomes(answer), [
    "created",
    "unchanged",
    "rejected",
    "created",
    ...Array<string>(5).fill("rejected"),
  ]);
  assert.deepEqual(outcomes(dry), outcomes(answer));
  const said = answer.body.results.map(({ error, errors }: { error?: string; errors?: object }) => error ?? errors);
  assert.deepEqual(said.slice(2), [
    "Another payment has this external id.",
    undefined,
    "No query results for model [Invoice] 999999999",
    { invoice_id: ["The invoice id field is required when invoice_number is not present."] },
    "Cannot record a payment of this invoice. It is a draft.",
    { amount: ["The amount field must not be 0."] },
    "Payments cannot be deleted or restored.",
  ]);
  assert.deepEqual(await one.state(), ["issued", "30", "70.00", "10", "20"]);
  assert.deepEqual(outcomes(await tenant.post("/api/v1/payments/batch", { items: [item] })), ["unchanged"]);
});

test("an item with an id is rejected, whatever has that id, and costs no other item", async () => {
  const [one, other] = [await invoice({}), await invoice({})];
  const { id } = (await one.pay("1")).body.data;
  const items = [
    { id: other.id, invoice_id: one.id, amount: "3" },
    { id: other.id },
    { id, invoice_id: one.id, amount: "1" },
    { id: "x", invoice_id: one.id, amount: "3" },
    { id: null, invoice_id: one.id, amount: "2" },
  ];
  const { results } = (await tenant.post("/api/v1/payments/batch", { items })).body;
  const refused = [0, 1, 2, 3].map((index) => {
    return { index, outcome: "rejected", id: null, error: "Payments cannot be changed." };
  });
  assert.deepEqual(results.slice(0, 4), refused);
  assert.equal(results[4].outcome, "created");
  assert.deepEqual(await one.state(), ["issued", "3", "97.00", "1", "2"]);
  assert.deepEqual(await other.state(), ["issued", undefined, undefined]);
});

test("an item that names its invoice by id and number is rejected if they are two invoices", async () => {
  const [one, other] = [await invoice({}), await invoice({})];
  const items = [one, other].map(({ number }) => ({ invoice_id: one.id, invoice_number: number, amount: "2" }));
  const { results } = (await tenant.post("/api/v1/payments/batch", { items })).body;
  assert.equal(results[0].outcome, "created");
  assert.deepEqual(results[1].errors, { invoice_number: ["The selected invoice number is invalid."] });
  assert.deepEqual(await one.state(), ["issued", "2", "98.00", "2"]);
  assert.deepEqual(await other.state(), ["issued", undefined, undefined]);
});

test("a payment with a known external id is unchanged if the stored one has all of its values, and otherwise refused", async () => {
  const { id, pay, state } = await invoice({});
  const external = { bank: "K-1" };
  const sent = { paid_on: "2026-11-20", means: "bank", reference: "OP 7", external };
  const first = await pay("10", sent);
  const again = await pay("10.0", sent);
  assert.deepEqual([again.status, again.body], [201, first.body]);
  for (const [values, isSame] of [
    [{}, true],
    [{ means: "bank", reference: " OP 7" }, true],
    [{ paid_on: "2026-11-20" }, true],
    [{ means: "cash" }, false],
    [{ reference: "OP 8" }, false],
    [{ paid_on: "2026-11-21" }, false],
    [{ external: { bank: "K-1", erp: "K-2" } }, false],
  ] as const) {
    const item = { invoice_id: id, amount: "10", external, ...values };
    const [result] = (await tenant.post("/api/v1/payments/batch", { items: [item] })).body.results;
    assert.equal(result.outcome, isSame ? "unchanged" : "rejected", JSON.stringify(values));
    const alone = await pay("10", { external, ...values });
    assert.equal(alone.status, isSame ? 201 : 409, JSON.stringify(values));
  }
  const large = { invoice_id: id, amount: "123456789012345.123456", external: { bank: "K-3" } };
  const items = [large, { ...large, amount: "123456789012345.123457" }];
  const { results } = (await tenant.post("/api/v1/payments/batch", { items })).body;
  assert.deepEqual(
    results.map(({ outcome }: { outcome: string }) => outcome),
    ["created", "rejected"],
  );
  assert.equal((await state()).length, 5, "two payments");
});

test("payments that are recorded at the same time are all counted", async () => {
  const { pay, state } = await invoice({});
  await Promise.all(Array.from({ length: 20 }, async () => await pay("5.00")));
  assert.deepEqual((await state()).slice(0, 3), ["paid", "100.00", "0.00"]);
});

test("an invoice that moves to another company takes its payments along", async () => {
  const { id, pay } = await invoice({});
  const { data } = (await pay("5")).body;
  const { Company } = await make(tenant, ["Company"]);
  await server.sql("update invoices set company_id = $1 where tenant_id = $2 and id = $3", [Company, tenant.id, id]);
  assert.equal((await tenant.get(`/api/v1/payments/${data.id}`)).body.data.company_id, Company);
});
