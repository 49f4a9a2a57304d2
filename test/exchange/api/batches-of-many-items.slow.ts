import assert from "node:assert/strict";
import { test } from "node:test";
import { startServer } from "../../harness.ts";
import { untilLetGo } from "../../held.ts";
import { statementsSent } from "../../statements-sent.ts";
import { batch, companiesOf, companyOf } from "./sent-batch.ts";

/** docs/contract.md 17: batches as large as they may be, and what others see of them. */
const server = await startServer();

test("a thousand items of twenty fields are kept whole, and so is whatever fits into 8 MiB", async () => {
  const tenant = await server.createTenant();
  const fields = ["address", "city", "county", "postal_code", "country", "phone", "bank_name", "industry"];
  const unknown = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`field_${at}`, at]));
  const items = Array.from({ length: 1_000 }, (_, at) => {
    const known = Object.fromEntries(fields.map((name) => [name, "RO"]));
    return { name: `Company ${at}`, tax_id: `T${at}`, ...known, ...unknown, more: [1, { deep: [at] }] };
  });
  const { created, results } = await batch(tenant, "companies", items);
  assert.deepEqual([created, results.length], [1_000, 1_000]);
  const { body } = await tenant.get("/api/v1/companies?page=5&per_page=200");
  assert.deepEqual([body.total, body.data.at(-1).name, body.data.at(-1).tax_id], [1_000, "Company 999", "T999"]);

  const notes = "n".repeat(8_000);
  const long = await batch(
    tenant,
    "companies",
    items.map(({ tax_id }) => ({ tax_id, notes })),
  );
  assert.equal(long.updated, 1_000, "8 MB");
  const tooLarge = await tenant.post("/api/v1/companies/batch", { items: [{ notes: "n".repeat(8 * 1024 * 1024) }] });
  assert.deepEqual([tooLarge.status, tooLarge.body], [413, { error: "Payload too large." }]);
});

test("rows whose long values have 2 MiB together are read in parts, and less is read at once", async () => {
  const tenant = await server.createTenant();
  const company_id = await companyOf(tenant, { name: "A" });
  // Eight of these texts have 2 MiB exactly.
  const texts = { notes: "😀".repeat(65_535), delivery_notes: "😀" };
  const lines = Array.from({ length: 500 }, () => ({ description: "😀".repeat(255), quantity: "1", unit_price: "1" }));
  const short = { notes: "Short", delivery_notes: "Short" };
  for (const [noun, most, long, changed, ofOne] of [
    ["companies", 8, texts, short, { city: "Turda" }],
    ["invoices", 4, { company_id, lines }, { lines: lines.slice(0, 1) }, { currency: "RON" }],
  ] as const) {
    const reads: number[] = [];
    for (const count of [most, most + 1]) {
      const items = Array.from({ length: count }, (_, n) => ({
        name: `${count}/${n}`,
        number: `${count}/${n}`,
        ...long,
      }));
      const { results } = await batch(tenant, noun, items);
      const before = statementsSent(`bulk_stored_${noun}`);
      // What is sent for one row alone is read of the others, which keep it.
      const changes = results.map(({ id }, n) => Object.assign({ id }, changed, n === 0 ? ofOne : {}));
      assert.equal((await batch(tenant, noun, changes)).updated, count);
      reads.push(statementsSent(`bulk_stored_${noun}`) - before);
    }
    assert.deepEqual(reads, [1, 3], noun);
  }
});

test("a thousand items with a hundred mistakes each are reported, each with at least one of its own", async () => {
  const tenant = await server.createTenant();
  const items = Array.from({ length: 1_000 }, () => ({ lines: Array.from({ length: 100 }, () => ({})) }));
  const { rejected, results } = await batch(tenant, "invoices", items);
  assert.deepEqual([rejected, results.length], [1_000, 1_000]);
  const messages = results.map(({ errors = {} }) => Object.keys(errors).length);
  assert.deepEqual([messages[0], messages.at(-1)], [302, 1]);
  assert.equal(Math.min(...messages), 1);
});

test("beside others, batches of small items take a quarter of the time", async () => {
  const [tenant, other] = [await server.createTenant(), await server.createTenant()];
  const items = Array.from({ length: 1_000 }, () => ({}));
  const began = performance.now();
  for (let n = 0; n < 6; n++) {
    await other.get("/api/v1/companies");
    await batch(tenant, "companies", items);
  }
  // The first may begin at once, and so may what is left of four milliseconds.
  assert.ok(performance.now() - began > 5 * (4 * 30 - 4), `${performance.now() - began}`);
});

for (const key of [null, "whole"]) {
  const how = key === null ? "lets others see and write it meanwhile" : "with a key is there as a whole, or not at all";
  test(`a batch that names one company often ${how}`, async () => {
    const tenant = await server.createTenant();
    await companyOf(tenant, { name: "A", tax_id: "RO1" });
    const items = [{ name: "Without a name" }, ...named(300)];
    const numbers = new Set<number>();
    const headers: Record<string, string> = key === null ? {} : { "idempotency-key": key };
    const sent = tenant.post("/api/v1/companies/batch", { items }, { headers });
    const ended = sent.then(() => null);
    for (;;) {
      const companies = await Promise.race([ended, companiesOf(tenant)]);
      if (companies === null) break;
      for (const { name } of companies) numbers.add(name === "Without a name" ? -1 : numberIn(name));
    }
    const { created, updated, results } = (await sent).body;
    assert.deepEqual([created, updated, results.length, results[0].outcome], [1, 300, 301, "created"]);
    const between = [...numbers].filter((number) => number > 0 && number < 300);
    assert.equal(between.length > 0, key === null, String(between));
    for (const number of between) assert.equal(number % 25, 0);
    const { body } = await tenant.get("/api/v1/changes?limit=500");
    assert.equal(body.data.length, 302);
  });
}

test("a batch that fails between two transactions has created nothing that another try would create again", async () => {
  const tenant = await server.createTenant();
  await companyOf(tenant, { name: "A", tax_id: "RO1" });
  const owner = await tenant.createUser();
  const later = named(60).map((item, at) => (at < 30 ? item : Object.assign(item, { assigned_to: owner })));
  const items = [{ name: "Without a name" }, ...later];
  // The first transaction does not refer to the user, and the second one waits for its row.
  await untilLetGo(
    server,
    `select id from users where tenant_id = ${tenant.id} and id = ${owner} for update`,
    async () => {
      assert.equal((await tenant.post("/api/v1/companies/batch", { items })).status, 503);
    },
  );
  assert.deepEqual(
    (await companiesOf(tenant)).map(({ name }) => name),
    ["Name 25"],
  );
  const again = await batch(tenant, "companies", items);
  assert.deepEqual([again.created, again.updated], [1, 60]);
});

/** Items of one company: `Name 1`, `Name 2` and so on. */
function named(count: number): object[] {
  return Array.from({ length: count }, (_, at) => ({ tax_id: "RO1", name: `Name ${at + 1}` }));
}

function numberIn(name: string): number {
  return Number(/\d+$/.exec(name)?.[0] ?? 0);
}
