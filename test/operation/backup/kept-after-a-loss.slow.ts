import assert from "node:assert/strict";
import path from "node:path";
import { after, test } from "node:test";
import { startSimulator } from "../../../wms-simulator/simulator.ts";
import { requester } from "../../cli/installation.ts";
import { PASSWORD, visitor, type Visitor } from "../../doors/pages/visitor.ts";
import { administer } from "../../orders/wms/instance-calls.ts";
import type { SimulatedOrder } from "../../orders/wms/warehouse.ts";
import { poll, serve } from "../../program.ts";
import { createEmptyDatabase } from "./databases.ts";
import { createSeeded } from "./seeded.ts";

/**
 * What a database has lost stays protected (docs/contract.md 14.6): behind a loss, and in copies of tenants. The
 * warehouse makes a second order of a pair that it has.
 */
const simulator = await startSimulator({ faults: { duplicates: 1 } });
after(async () => await simulator.close());
const source = await createSeeded({
  LIAISON_WMS_URL: simulator.template,
  LIAISON_WMS_PRIVATE_NETWORKS: "127.0.0.0/8",
  LIAISON_WMS_SETTLE: "1",
  LIAISON_WMS_RETRY_MS: "10",
});
const { json, run, dataDir } = source;
const capabilities = "companies:write,invoices:write,wms-orders:write";
const before = await peopleOf(source.url, await tokenFor("acme"));
const LINE = { description: "Bolts", quantity: "1", unit_price: "10.00" };

type Api = ReturnType<typeof requester>;
type People = { api: Api; browser: Visitor };

async function tokenFor(slug: string, environment: Record<string, string> = {}): Promise<string> {
  const args = ["key", "create", "--tenant", slug, "--name", "Sender", "--capabilities", capabilities];
  return String((await json(args, { environment })).token);
}

async function peopleOf(url: string, token: string, workspace = "acme"): Promise<People> {
  const browser = visitor({ url });
  await browser.post("/sign-in", { workspace, email: "ana@example.com", password: PASSWORD });
  return { api: requester(url, token), browser };
}

/** A new company, connected with one warehouse after the other. */
async function companyAt({ api, browser }: People, taxId: string | null, ...subdomains: string[]): Promise<number> {
  const { body } = await api("POST", "/api/v1/companies", { name: `At ${subdomains.join(", ")}`, tax_id: taxId });
  for (const subdomain of subdomains) await connect({ api, browser }, body.data.id, subdomain);
  return body.data.id;
}

async function connect({ browser }: People, company: number, subdomain: string): Promise<void> {
  const form = { wms_subdomain: subdomain, wms_api_key: "key-0123456789" };
  assert.equal((await browser.post(`/companies/${company}/warehouse`, form)).status, 303);
}

async function enter({ api }: People, company: number, number: string, fields: object = {}): Promise<number> {
  const invoice = { number, total: "10.00", currency: "RON", ...fields };
  const { status, body } = await api("POST", `/api/v1/companies/${company}/invoices`, invoice);
  assert.equal(status, 201, JSON.stringify(body));
  return body.data.id;
}

/** Queues an invoice; its `wms` once nothing is under way. */
async function send(
  { api }: People,
  id: number,
): Promise<{ state: string; order_id: number | null; error: string | null }> {
  const { status, text } = await api("POST", `/api/v1/invoices/${id}/wms-order`);
  assert.equal(status, 202, text);
  return await over({ api }, id);
}

async function over({ api }: Pick<People, "api">, id: number) {
  const wmsOf = async () => (await api("GET", `/api/v1/invoices/${id}`)).body.data.wms;
  await poll("its end", async () => !["queued", "sending", "unknown"].includes((await wmsOf()).state));
  return await wmsOf();
}

async function ordersOf(number: string): Promise<number[]> {
  const { instances } = (await administer(simulator, "GET", "/ledger")) as {
    instances: Record<string, { orders: SimulatedOrder[] }>;
  };
  const all = Object.values(instances).flatMap(({ orders }) => orders);
  return all.filter(({ sent }) => sent.invoice_reference === number).map(({ order_id: id }) => id);
}

async function isRefused({ api }: People, id: number): Promise<boolean> {
  const statuses: number[] = [];
  for (const change of [{ total: "99.00" }, { number: `CHANGED-${id}` }, { lines: [LINE] }, { currency: "EUR" }]) {
    statuses.push((await api("PUT", `/api/v1/invoices/${id}`, change)).status);
  }
  assert.equal((await api("PUT", `/api/v1/invoices/${id}`, { due_on: "2026-12-01" })).status, 200);
  return statuses.every((status) => status === 422);
}

/** The instance as `file` has it, in a new database, resumed after the loss. */
async function restored(file: string): Promise<People> {
  const target = await createEmptyDatabase();
  const environment = { ...source.environment, DATABASE_URL: target.url };
  await run(["restore", file], { environment });
  assert.equal((await run(["resume", "--after-loss"], { environment })).code, 0);
  const server = await serve(environment);
  return await peopleOf(server.url, await tokenFor("acme", environment));
}

test("an invoice of before a loss is kept until a look-up has proved that there is no order, whatever its state", async () => {
  const company = await companyAt(before, "RO501", "nord");
  const free = (await before.api("POST", "/api/v1/companies", { name: "Without a warehouse" })).body.data.id;
  const file = `company_id,number,total\n${["K-1", "K-2", "K-3"].map((number) => `${company},${number},10.00\n`).join("")}`;
  const { location } = await before.browser.upload("/imports", { kind: "invoices" }, { "k.csv": file });
  const imported = String(location);
  const idOf = async (number: string) =>
    (await before.api("GET", `/api/v1/companies/${company}/invoices?search=${number}`)).body.data[0]?.id;
  await poll("the import's end", async () => {
    await before.browser.post(`${imported}/start`);
    return (await idOf("K-3")) !== undefined;
  });
  const ids = { one: await idOf("K-1"), two: await idOf("K-2"), three: await idOf("K-3") };
  const draft = await enter(before, company, "K-4", { status: "draft" });
  const unconnected = await enter(before, free, "K-5");
  const backup = path.join(dataDir, "kept.backup");
  await json(["backup", backup]);
  await before.api("PUT", `/api/v1/companies/${company}`, { tax_id: "RO501X" });
  for (const id of [ids.one, ids.two]) assert.equal((await send(before, id)).state, "sent");

  const people = await restored(backup);
  const { api, browser } = people;
  for (const id of [ids.one, ids.two, ids.three, draft]) assert.ok(await isRefused(people, id), `${id} is kept`);
  const { body: batched } = await api("POST", "/api/v1/invoices/batch", { items: [{ id: ids.three, total: "98.00" }] });
  assert.equal(batched.rejected, 1, JSON.stringify(batched));
  const lines = "invoice_number,position,description,quantity,unit_price\nK-3,1,Bolts,1,10.00\n";
  const csv = await browser.upload("/imports", { kind: "invoice_lines" }, { "lines.csv": lines });
  await poll("the lines' check", async () => {
    const { text } = await browser.get(String(csv.location));
    return text.includes("Cannot change an invoice that was sent");
  });
  await browser.post(`${imported}/undo`);
  await poll("the undo's end", async () => (await browser.get(imported)).text.includes("Undone"));
  const left = await api("GET", `/api/v1/companies/${company}/invoices`);
  assert.equal(left.body.total, 4, "the undo leaves what the warehouse may have");
  assert.equal((await api("PUT", `/api/v1/invoices/${unconnected}`, { total: "99.00" })).status, 200);

  const seen = await send(people, ids.one);
  assert.match(seen.error ?? "", /belongs to K-1 \(RO501X\), but this is K-1 \(RO501\): it was not linked/);
  assert.ok(await isRefused(people, ids.one), "what was seen is kept");
  await api("PUT", `/api/v1/companies/${company}`, { tax_id: "RO501X" });
  for (const [id, number] of [
    [ids.one, "K-1"],
    [ids.two, "K-2"],
  ] as const) {
    const wms = await send(people, id);
    assert.deepEqual([wms.state, [wms.order_id]], ["sent", await ordersOf(number)]);
    assert.match(wms.error ?? "", /^The order was made before the loss/);
  }
  const absent = await send(people, ids.three);
  assert.deepEqual([absent.state, [absent.order_id], absent.error], ["sent", await ordersOf("K-3"), null]);
  assert.equal((await send(people, draft)).state, "not_sent");
  assert.equal((await api("PUT", `/api/v1/invoices/${draft}`, { total: "12.00" })).status, 200, "a look-up frees it");
});

test("what the look-up is refused, or finds of a fiscal id of before, is no proof of absence", async () => {
  const company = await companyAt(before, "RO502", "nord");
  const id = await enter(before, company, "R-1");
  const backup = path.join(dataDir, "refused.backup");
  await json(["backup", backup]);
  assert.equal((await send(before, id)).state, "sent");
  const entered = await enter(before, company, "R-2");
  assert.equal((await send(before, entered)).state, "sent");

  const people = await restored(backup);
  await administer(simulator, "PUT", "/keys", ["another"]);
  assert.match((await send(people, id)).error ?? "", /refused the credentials/);
  assert.ok(await isRefused(people, id));
  await administer(simulator, "PUT", "/keys", null);
  // The fiscal id is corrected before what was lost is entered again.
  await people.api("PUT", `/api/v1/companies/${company}`, { tax_id: "RO502X" });
  const again = await enter(people, company, "R-2");
  const seen = await send(people, again);
  assert.match(seen.error ?? "", /belongs to R-2 \(RO502\), but this is R-2 \(RO502X\)/);
  assert.ok(await isRefused(people, again), "what was seen is kept");
  assert.equal((await ordersOf("R-2")).length, 1);
});

test("an order at a warehouse that the company was connected with before is looked for by a person, and not made again", async () => {
  const company = await companyAt(before, "RO503", "sud", "nord");
  const id = await enter(before, company, "E-1");
  const backup = path.join(dataDir, "elsewhere.backup");
  await json(["backup", backup]);
  await connect(before, company, "sud");
  assert.equal((await send(before, id)).state, "sent");
  assert.equal((await send(before, await enter(before, company, "E-2"))).state, "sent");

  const people = await restored(backup);
  const again = await enter(people, company, "E-2");
  for (const each of [id, again]) {
    const wms = await send(people, each);
    assert.deepEqual([wms.state, wms.order_id], ["failed", null]);
    assert.match(wms.error ?? "", /may have been made before the loss at sud\.localhost, which/);
  }
  assert.ok(await isRefused(people, id));
  await connect(people, company, "sud");
  for (const [each, number] of [
    [id, "E-1"],
    [again, "E-2"],
  ] as const) {
    const wms = await over(people, each);
    assert.deepEqual([wms.state, [wms.order_id]], ["sent", await ordersOf(number)], String(wms.error));
  }
  await connect(people, company, "nord");
  const entered = await enter(people, company, "E-3");
  assert.equal((await send(people, entered)).state, "failed");
  assert.match((await people.browser.get(`/invoices/${entered}`)).text, /There is no order there: send/);
  assert.equal((await people.browser.post(`/invoices/${entered}/none-elsewhere`)).status, 303);
  assert.equal((await over(people, entered)).state, "sent");
  assert.equal((await send(people, await enter(people, company, "E-4"))).state, "sent", "it is said once");
  assert.match((await people.browser.get("/history")).text, /no lost order at former warehouses/);
});

test("an order at a warehouse of a lost connection is found with the key of another company of the workspace", async () => {
  await companyAt(before, "RO601", "vest");
  const company = await companyAt(before, "RO602", "est");
  const moved = await companyAt(before, "RO603", "vest", "est");
  const id = await enter(before, company, "V-1");
  const backup = path.join(dataDir, "neighbours.backup");
  await json(["backup", backup]);
  await connect(before, company, "vest");
  assert.equal((await send(before, id)).state, "sent");
  assert.equal((await send(before, await enter(before, company, "V-2"))).state, "sent");

  const people = await restored(backup);
  const again = await enter(people, company, "V-2");
  for (const each of [id, again]) {
    const wms = await send(people, each);
    assert.deepEqual([wms.state, wms.order_id], ["failed", null]);
    assert.match(wms.error ?? "", /before the loss at vest\.localhost/);
  }
  await connect(people, company, "vest");
  for (const [each, number] of [
    [id, "V-1"],
    [again, "V-2"],
  ] as const) {
    const wms = await over(people, each);
    assert.deepEqual([wms.state, [wms.order_id]], ["sent", await ordersOf(number)], String(wms.error));
  }
  // A former warehouse that could be asked, and has no order, needs nobody to look there.
  assert.equal((await send(people, await enter(people, moved, "V-3"))).state, "sent");
});

test("a copy of a copy is linked with the order that the first tenant made, and a restored tenant keeps what it had", async () => {
  const company = await companyAt(before, "RO504", "nord");
  const id = await enter(before, company, "C-1");
  const first = path.join(dataDir, "first.tenant");
  await json(["tenant", "backup", "acme", first]);
  assert.equal((await send(before, id)).state, "sent");
  await json(["tenant", "restore", first, "--as", "second"]);
  const second = path.join(dataDir, "second.tenant");
  await json(["tenant", "backup", "second", second]);
  await json(["tenant", "restore", second, "--as", "third"]);
  const third = await peopleOf(source.url, await tokenFor("third"), "third");
  assert.ok(await isRefused(third, id));
  const wms = await send(third, id);
  assert.deepEqual([wms.state, [wms.order_id]], ["sent", await ordersOf("C-1")], String(wms.error));
});
