import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startImportServer } from "../../exchange/imports/import-server.ts";

/** Which invoices are sent by themselves, by whatever door they come. No worker runs: what is queued stays so. */
const server = await startImportServer();
const tenant = await server.createTenant();
const member = await signedIn(server, tenant, { role: "admin" });
let companies = 0;

test("invoices that can be sent after the switch are queued, through every door; earlier ones are not", async () => {
  const [company, taxId] = await newCompany();
  await invoicesOf(company, { number: "early" }, { number: "early-draft", status: "draft" });
  await connect(company, true);
  await invoicesOf(company, { number: "posted" }, { number: "posted-draft", status: "draft" });
  await importing(`number,company_tax_id,status,wms_order_id
imported,${taxId},issued,
imported-paid,${taxId},paid,
imported-draft,${taxId},draft,
imported-cancelled,${taxId},cancelled,
imported-order,${taxId},issued,7
early,${taxId},paid,
`);
  assert.deepEqual(await states(company), {
    early: "not_sent",
    "early-draft": "not_sent",
    posted: "queued",
    "posted-draft": "not_sent",
    imported: "queued",
    "imported-paid": "queued",
    "imported-draft": "not_sent",
    "imported-cancelled": "not_sent",
    "imported-order": "sent",
  });
  await importing("number,status\nimported-draft,paid\nearly-draft,issued\nearly,issued\n");
  const { early, ...others } = await states(company);
  assert.deepEqual(
    [early, others["imported-draft"], others["early-draft"]],
    ["not_sent", "queued", "queued"],
    "earlier ones are offered on the page",
  );
  assert.match(
    (await member.get(`/companies/${company}/warehouse`)).text,
    /1 invoice was issued before and not sent yet/,
  );
  assert.deepEqual(await jobs(company), ["early-draft", "imported", "imported-draft", "imported-paid", "posted"]);
});

test("an invoice that comes from another company to one that sends by itself is queued", async () => {
  const [from] = await newCompany();
  const [to, taxId] = await newCompany();
  await connect(to, true);
  await invoicesOf(from, { number: "moved" }, { number: "moved-draft", status: "draft" });
  await importing(`number,company_tax_id\nmoved,${taxId}\nmoved-draft,${taxId}\n`);
  assert.deepEqual(await states(to), { moved: "queued", "moved-draft": "not_sent" });
  assert.deepEqual(await jobs(to), ["moved"]);
});

test("nothing is queued by itself where the switch is off, or the connection was removed", async () => {
  const [off] = await newCompany();
  await connect(off, false);
  await invoicesOf(off, { number: "off" });
  const [removed] = await newCompany();
  await connect(removed, true);
  await member.post(`/companies/${removed}/warehouse/remove`);
  await invoicesOf(removed, { number: "removed" });
  assert.deepEqual([await states(off), await states(removed)], [{ off: "not_sent" }, { removed: "not_sent" }]);
  assert.deepEqual([await jobs(off), await jobs(removed)], [[], []]);
});

test("the job is of the same transaction as its cause, by the API, an import and the connection", async () => {
  const [company, taxId] = await newCompany();
  await connect(company, true);
  await invoicesOf(company, { number: "by-api" });
  await importing(`number,company_tax_id\nby-import,${taxId}\n`);
  await invoicesOf(company, { number: "refused" });
  await server.sql(
    `update invoices set wms_state = 'failed', wms_error = '{"code":"credentials"}' where number = 'refused'`,
  );
  await server.sql("delete from jobs where subject in (select id from invoices where number = 'refused')");
  await connect(company, true);
  const rows = await server.sql(
    `select i.number, i.wms_state as state, i.xmin = j.xmin as together from invoices i
    join jobs j on j.tenant_id = i.tenant_id and j.kind = 'send-invoice' and j.subject = i.id
    where i.company_id = $1 order by i.number`,
    [company],
  );
  assert.deepEqual(
    rows,
    ["by-api", "by-import", "refused"].map((number) => ({ number, state: "queued", together: true })),
  );
});

test("an invoice whose order an import takes away is looked up, where its order was; one that was never sent is not", async () => {
  const [company] = await newCompany();
  await connect(company, true);
  await invoicesOf(company, { number: "lost" });
  await server.sql("delete from jobs");
  await server.sql(
    `update invoices set wms_attempt = 1, wms_order_id = 5, wms_instance = 'north.localhost' where number = 'lost'`,
  );
  await server.sql("delete from jobs");
  await importing("number,wms_instance,wms_order_id\nlost,,\n");
  const [row] = await server.sql(
    "select wms_state as state, wms_open_since is not null as open, wms_open_instance as at, wms_poll_at as poll from invoices where number = 'lost'",
  );
  assert.deepEqual(row, { state: "unknown", open: true, at: "north.localhost", poll: null });
  assert.deepEqual(await jobs(company), ["lost"]);
  await importing("number,wms_instance,wms_order_id\nlost,south.localhost,6\n");
  await importing("number,wms_instance,wms_order_id\nlost,,\n");
  const [after] = await server.sql("select wms_open_instance as at from invoices where number = 'lost'");
  assert.deepEqual(after, { at: "north.localhost" }, "the order that a file named was not the attempt's");
});

test("what waits for a company's warehouse waits for the one that it is connected with next", async () => {
  const [company] = await newCompany();
  await connect(company, true);
  await invoicesOf(company, { number: "waits" }, { number: "runs" });
  const ofNumber = "subject = (select id from invoices where number = $1)";
  await server.sql(`update jobs set state = 'running' where ${ofNumber}`, ["runs"]);
  await connect(company, true, "south");
  const laneOf = async (number: string) =>
    (await server.sql(`select lane from jobs where kind = 'send-invoice' and ${ofNumber}`, [number]))[0]?.lane;
  assert.deepEqual([await laneOf("waits"), await laneOf("runs")], ["wms/south", "wms/north"]);
  const [row] = await server.sql("select from lane_news where lane = 'wms/south' and ready_at is not null");
  assert.ok(row !== undefined, "the next claim sees it");
});

async function newCompany(): Promise<[id: string, taxId: string]> {
  const taxId = `RO${1_000 + ++companies}`;
  const { body } = await tenant.post("/api/v1/companies", { name: `Firm ${companies}`, tax_id: taxId });
  return [String(body.data.id), taxId];
}

async function connect(company: string, isAutomatic: boolean, subdomain = "north"): Promise<void> {
  const { status } = await member.post(`/companies/${company}/warehouse`, {
    wms_subdomain: subdomain,
    wms_api_key: "key-0123456789",
    ...(isAutomatic ? { send_automatically: "1" } : {}),
  });
  assert.equal(status, 303);
}

async function invoicesOf(company: string, ...invoices: object[]): Promise<void> {
  for (const invoice of invoices) {
    assert.equal((await tenant.post(`/api/v1/companies/${company}/invoices`, invoice)).status, 201);
  }
}

async function importing(csv: string): Promise<void> {
  assert.deepEqual((await server.importText(tenant, "invoices", csv)).rejected, []);
}

async function states(company: string): Promise<Record<string, string>> {
  const { data } = (await tenant.get(`/api/v1/companies/${company}/invoices`)).body;
  return Object.fromEntries(
    data.map(({ number, wms }: { number: string; wms: { state: string } }) => [number, wms.state]),
  );
}

/** The numbers of the company's invoices that are to be sent. */
async function jobs(company: string): Promise<unknown[]> {
  const rows = await server.sql(
    `select i.number from jobs j join invoices i on i.tenant_id = j.tenant_id and i.id = j.subject
    where j.kind = 'send-invoice' and i.company_id = $1 order by i.number`,
    [company],
  );
  return rows.map(({ number }) => number);
}
