import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../../doors/pages/visitor.ts";
import { whileHeld } from "../../held.ts";
import { poll } from "../../program.ts";
import { administer } from "./instance-calls.ts";
import { startWithWarehouse } from "./warehouse.ts";

/** The pages about a company whose warehouse refuses its key: what they say, and for how long. */
const server = await startWithWarehouse();
const tenant = await server.createTenant();
const admin = await signedIn(server, tenant, { role: "admin" });
const TODAY = /<span class="state wrong">Key refused, \d\d:\d\d<\/span>/;
let serial = 0;

const keys = async (accepted: string[] | null) => await administer(server.simulator, "PUT", "/keys", accepted);
const connected = async () => await server.connect(tenant, `k${++serial}`);

/** What the heading of the connection and the fact on the company's page say. */
async function said(company: string, language = "en"): Promise<[heading: string, fact: string]> {
  const headers = { "accept-language": language };
  const heading = (await admin.get(`/companies/${company}/warehouse`, headers)).text;
  const fact = (await admin.get(`/companies/${company}`, headers)).text;
  return [
    /<header class="heading">([^]*?)<\/header>/.exec(heading)?.[1] ?? "",
    /<dt>(?:Warehouse|Depozit)<\/dt><dd>([^]*?)<\/dd>/.exec(fact)?.[1] ?? "",
  ];
}

async function isRefused(company: string): Promise<boolean> {
  const [heading, fact] = await said(company);
  assert.equal(TODAY.test(heading), TODAY.test(fact));
  assert.equal(TODAY.test(heading), !heading.includes('<span class="state good">Connected</span>'));
  assert.equal(TODAY.test(fact), !fact.includes("· connected"));
  return TODAY.test(heading);
}

const tryIt = async (company: string) => await admin.post(`/companies/${company}/warehouse/test`);
const save = async (company: string, key: string) =>
  await admin.post(`/companies/${company}/warehouse`, { wms_subdomain: `k${serial}`, wms_api_key: key });

async function invoice(company: string): Promise<number> {
  const { body } = await tenant.post(`/api/v1/companies/${company}/invoices`, { number: `K-${++serial}`, total: "1" });
  return body.data.id;
}

async function send(id: number, state: string): Promise<void> {
  assert.equal((await tenant.post(`/api/v1/invoices/${id}/wms-order`)).status, 202);
  await server.until(tenant, id, (wms) => wms.state === state);
}

test("a test that the warehouse refuses is no green Connected, until a test or another key works", async () => {
  const company = await connected();
  assert.equal(await isRefused(company), false);
  await keys(["another"]);
  await tryIt(company);
  assert.equal(await isRefused(company), true);
  const [heading, fact] = await said(company, "ro");
  for (const text of [heading, fact]) assert.match(text, /<span class="state wrong">Cheie refuzată, \d\d:\d\d<\/span>/);
  await save(company, "");
  assert.equal(await isRefused(company), true, "the stored key is still the one that was refused");
  await server.sql("update companies set wms_key_refused_at = wms_key_refused_at - interval '2 days' where id = $1", [
    company,
  ]);
  assert.match((await said(company))[0], /Key refused, \d+ \w+ \d{4}, \d\d:\d\d</, "not today's: with its day");
  await tryIt(company);
  assert.equal(await isRefused(company), true, "the last time that it was refused");

  await keys(null);
  await tryIt(company);
  assert.equal(await isRefused(company), false);
  await keys(["another"]);
  await tryIt(company);
  assert.equal(await isRefused(company), true);
  await save(company, "another");
  assert.equal(await isRefused(company), false);
  await keys(null);
});

test("sending stores that the key was refused, and that it is accepted again", async () => {
  const company = await connected();
  const [refused, other] = [await invoice(company), await invoice(company)];
  await keys(["another"]);
  await send(refused, "failed");
  assert.equal(await isRefused(company), true);
  await keys(null);
  await send(other, "sent");
  assert.equal(await isRefused(company), false);
});

test("following stores it too", async () => {
  const company = await connected();
  const id = await invoice(company);
  await send(id, "sent");
  // A company whose warehouse failed is asked again later, so its job is due too.
  const ask = async () => {
    await server.sql("update invoices set wms_poll_at = now() where id = $1", [id]);
    await server.sql("update jobs set run_at = now() where kind = 'follow-orders' and subject = $1", [company]);
  };
  await keys(["another"]);
  await ask();
  await poll("the refusal", async () => TODAY.test((await said(company))[0]));
  assert.equal(await isRefused(company), true);
  await keys(null);
  await ask();
  await poll("the answer", async () => !TODAY.test((await said(company))[0]));
  assert.equal(await isRefused(company), false);
});

test("what a warehouse says of a key is no change of the company, and nothing is written while the key works", async () => {
  const company = await connected();
  const path = `/api/v1/companies/${company}`;
  const version = async () => await server.sql("select xmin::text, ctid::text from companies where id = $1", [company]);
  const changes = async () => await server.sql("select count(*) from changes where company_id = $1", [company]);
  const row = await version();
  await tryIt(company);
  await send(await invoice(company), "sent");
  assert.deepEqual(await version(), row);

  const [before, history, told] = [await tenant.get(path), (await tenant.get(`${path}/history`)).text, await changes()];
  for (const accepted of [["another"], null]) {
    await keys(accepted);
    await tryIt(company);
    assert.equal(await isRefused(company), accepted !== null);
    const after = await tenant.get(path);
    assert.deepEqual([after.text, after.headers.get("etag")], [before.text, before.headers.get("etag")]);
    assert.equal((await tenant.get(`${path}/history`)).text, history);
    assert.deepEqual(await changes(), told);
  }
  assert.doesNotMatch(before.text, /refused/);
});

test("an answer about a key that was replaced meanwhile says nothing of the new one", async () => {
  const company = await connected();
  await keys(["another"]);
  const replaced = server.deps.keyring.encrypt(tenant.id, "companies.wms_api_key", "a-key-that-nobody-has-tried");
  await whileHeld(server, `update companies set wms_api_key = '${replaced}' where id = ${company}`, () =>
    tryIt(company),
  );
  assert.match((await admin.get(`/companies/${company}/warehouse`)).text, /The test failed: the warehouse refused the/);
  assert.equal(await isRefused(company), false);
  await keys(null);
});
