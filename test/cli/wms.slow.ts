import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startSimulator } from "../../wms-simulator/simulator.ts";
import { PASSWORD, visitor } from "../doors/pages/visitor.ts";
import { administer } from "../orders/wms/instance-calls.ts";
import { poll } from "../program.ts";
import { createInstallation, createWorkspace } from "./installation.ts";

const simulator = await startSimulator();
after(async () => await simulator.close());
const installation = await createInstallation();
const { json, run, environment } = installation;
Object.assign(environment, {
  LIAISON_WMS_URL: simulator.template,
  LIAISON_WMS_PRIVATE_NETWORKS: "127.0.0.0/8",
  LIAISON_WMS_SETTLE: "1",
  LIAISON_WMS_RETRY_MS: "10",
  LIAISON_WORKER: "off",
});
const { token } = await installation.prepare(
  async (deps) => await createWorkspace(deps, "acme", ["companies:write", "invoices:write"]),
);
const url = await installation.serve();

async function api(method: string, path: string, body: object): Promise<{ id: number }> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  const { data } = (await response.json()) as { data: { id: number } };
  return data;
}

/** A company that is connected with an instance, by the only way there is. */
async function connectedCompany(instance: string): Promise<number> {
  const { id } = await api("POST", "/companies", { name: instance });
  const browser = visitor({ url });
  await browser.post("/sign-in", { workspace: "acme", email: "ana@example.com", password: PASSWORD });
  const answer = await browser.post(`/companies/${id}/warehouse`, {
    wms_subdomain: instance,
    wms_api_key: "key-0123456789",
  });
  assert.equal(answer.status, 303, answer.text);
  return id;
}

/** What `wms status` shows once nothing is on its way to a warehouse. */
async function statusAfterSending(): Promise<Record<string, number>> {
  const onTheirWay = "select from invoices where wms_state in ('queued', 'sending', 'unknown')";
  await poll("the end of the sending", async () => (await installation.sql(onTheirWay)).length === 0);
  return await json(["wms", "status", "--tenant", "acme"]);
}

test("push queues what was never tried, a worker sends it, and each command says what it did", async () => {
  const company = await connectedCompany("north");
  const without = (await api("POST", "/companies", { name: "Without" })).id;
  for (const number of ["A", "B", "C"]) await api("POST", `/companies/${company}/invoices`, { number });
  await api("POST", `/companies/${company}/invoices`, { number: "D", status: "draft" });
  await api("POST", `/companies/${without}/invoices`, { number: "E" });

  assert.deepEqual(await json(["wms", "push", "--tenant", "acme", "--invoice", "A"]), { queued: 1, skipped: [] });
  assert.deepEqual(await json(["wms", "push", "--tenant", "acme", "--invoice", "A"]), {
    queued: 0,
    skipped: [{ number: "A", reason: "It is queued already." }],
  });
  assert.deepEqual(await json(["wms", "push", "--tenant", "acme", "--invoice", "E"]), {
    queued: 0,
    skipped: [{ number: "E", reason: "The company has no warehouse connection." }],
  });
  assert.deepEqual(await json(["wms", "push", "--tenant", "acme", "--all"]), {
    queued: 2,
    skipped: [{ number: "D", reason: "The invoice is a draft." }],
  });
  const waiting = await json(["wms", "status", "--tenant", "acme"]);
  assert.ok(waiting.oldest_pending_seconds >= 0);
  const lane = { instance: "north.localhost", running: 0, waiting: 3 };
  assert.deepEqual(waiting.lanes, [{ ...lane, closed_until: null }]);
  await installation.sql(
    "insert into lanes (tenant_id, name, closed_until) select tenant_id, lane, '2099-12-01T10:15:30.000001Z' from jobs limit 1",
  );
  await installation.sql(
    "update jobs set enqueued_at = now() - interval '2 hours' where tenant_id = (select min(tenant_id) from jobs)",
  );
  const resting = await json(["wms", "status", "--tenant", "acme"]);
  assert.deepEqual(resting.lanes, [{ ...lane, closed_until: "2099-12-01T10:15:30.000001Z" }]);
  assert.equal(Math.floor(resting.oldest_pending_seconds / 600), 12);
  await installation.sql("delete from lanes");

  const worker = installation.start(["worker"]);
  const done = await statusAfterSending();
  assert.deepEqual(done, {
    not_sent: 2,
    queued: 0,
    sending: 0,
    unknown: 0,
    sent: 3,
    failed: 0,
    oldest_pending_seconds: null,
    lanes: [],
  });
  const { instances } = (await administer(simulator, "GET", "/ledger")) as {
    instances: Record<string, { orders: { order_id: number }[] }>;
  };
  const [order] = instances.north?.orders ?? [];
  assert.equal(instances.north?.orders.length, 3);

  await administer(simulator, "PUT", `/orders/north/${order?.order_id}`, { status: "picking" });
  assert.deepEqual(await json(["wms", "sync", "--tenant", "acme"]), { checked: 3, changed: 1, missing: 0 });
  await administer(simulator, "PUT", `/orders/north/${order?.order_id}`, { vanished: true });
  assert.deepEqual(await json(["wms", "sync", "--tenant", "acme"]), { checked: 3, changed: 0, missing: 1 });
  const cutOff = { environment: { LIAISON_WMS_PRIVATE_NETWORKS: "" } };
  const { code, stderr } = await run(["wms", "sync", "--tenant", "acme"], cutOff);
  assert.deepEqual([code, stderr.startsWith(`The warehouse of company ${company}: `)], [1, true], stderr);
  worker.process.kill("SIGTERM");
  assert.equal(await worker.ended, 0);
});

test("redrive queues what failed, all or one", async () => {
  const company = await connectedCompany("south");
  await administer(simulator, "PUT", "/faults?instance=south", { "422": 1 });
  for (const number of ["F", "G"]) await api("POST", `/companies/${company}/invoices`, { number });
  await json(["wms", "push", "--tenant", "acme", "--company", String(company)]);
  const worker = installation.start(["worker"]);
  assert.equal((await statusAfterSending()).failed, 2);
  const again = await json(["wms", "push", "--tenant", "acme", "--company", String(company)]);
  assert.deepEqual(
    again.skipped.map(({ number }: { number: string }) => number),
    ["F", "G"],
  );
  await administer(simulator, "PUT", "/faults?instance=south", {});
  assert.deepEqual(await json(["wms", "redrive", "--tenant", "acme", "--invoice", "F"]), { queued: 1 });
  assert.deepEqual(await json(["wms", "redrive", "--tenant", "acme"]), { queued: 1 });
  assert.equal((await statusAfterSending()).failed, 0);
  worker.process.kill("SIGTERM");
  await worker.ended;
});

test("reconfirm prints the warehouse's evidence for each link without an instance, and confirms only the named ones", async () => {
  const company = await connectedCompany("west");
  await api("PUT", `/companies/${company}`, { tax_id: "RO500" });
  const totals = { exact: "10.00", strong: "99.00", ambiguous: "10.00" };
  const link = async (number: string, orderId: number) => {
    const { id } = await api("POST", `/companies/${company}/invoices`, { number, total: "10.00" });
    await installation.sql("update invoices set wms_order_id = $2 where id = $1", [id, orderId]);
  };
  for (const [index, [number, total]] of Object.entries(totals).entries()) {
    await link(number, 50_001 + index);
    const client = number === "ambiguous" ? "RO999" : "500";
    await administer(simulator, "POST", "/orders/west", { invoice_reference: number, client_cui: client, total });
  }
  await link("none", 7);
  const reconfirm = async (...more: string[]) => await json(["wms", "reconfirm", "--tenant", "acme", ...more]);

  const { candidates, confirmed } = await reconfirm();
  assert.deepEqual(confirmed, []);
  assert.deepEqual(
    candidates.map(({ invoice, grade }: Record<string, string>) => [invoice, grade]),
    [
      ["exact", "exact"],
      ["strong", "strong"],
      ["ambiguous", "ambiguous"],
      ["none", "none"],
    ],
  );
  const [{ instance, order_id: orderId, evidence }] = candidates;
  assert.deepEqual([instance, orderId], ["west.localhost", 50_001]);
  assert.deepEqual(evidence.agrees, { pair: false, number: true, fiscal_id: true, total: true });
  assert.deepEqual([evidence.ours.fiscal_id, evidence.order.client_cui, evidence.error], ["RO500", "500", null]);

  assert.deepEqual((await reconfirm("--confirm-grade", "exact")).confirmed, ["exact"]);
  const named = await run(["wms", "reconfirm", "--tenant", "acme", "--confirm", "none, ambiguous,exact", "--json"]);
  assert.deepEqual(JSON.parse(named.stdout).confirmed, ["ambiguous"]);
  assert.equal(named.code, 1);
  assert.match(named.stderr, /^Not confirmed: none, exact\. Each needs a link without an instance/);
  assert.deepEqual((await reconfirm("--confirm-grade", "strong")).confirmed, ["strong"]);
  const [left, ...others] = (await reconfirm()).candidates;
  assert.deepEqual([left.invoice, others], ["none", []]);

  const { id: nowhere } = await api("POST", "/companies", { name: "Nowhere" });
  const { id } = await api("POST", `/companies/${nowhere}/invoices`, { number: "unconnected" });
  await installation.sql("update invoices set wms_order_id = 8 where id = $1", [id]);
  const { candidates: asked, without_warehouse: unasked } = await reconfirm("--confirm-grade", "strong");
  assert.deepEqual(
    asked.map(({ invoice }: Record<string, string>) => invoice),
    ["none"],
  );
  assert.deepEqual(unasked, [{ invoice: "unconnected", order_id: 8, company_id: nowhere }]);
  const told = await run(["wms", "reconfirm", "--tenant", "acme", "--confirm", "unconnected"]);
  assert.match(told.stdout, /^Confirmed 0 of 1 links\./);
  assert.match(told.stdout, /without a warehouse have 1 more\. [^]*\nunconnected +8 +\d+ +Nowhere/);
  assert.deepEqual([told.code, told.stderr.startsWith("Not confirmed: unconnected.")], [1, true]);
});

test("push, redrive and sync take as many as there are, and sync also from a warehouse without the bulk call", async () => {
  const company = await connectedCompany("many");
  await installation.sql(
    "insert into invoices (tenant_id, company_id, number) select tenant_id, id, 'many-' || n from companies, generate_series(1, 1001) n where id = $1",
    [company],
  );
  const push = ["wms", "push", "--tenant", "acme", "--company", String(company)];
  assert.deepEqual(await json(push), { queued: 1_001, skipped: [] });
  await installation.sql("update invoices set wms_state = 'failed' where company_id = $1", [company]);
  assert.deepEqual(await json(["wms", "redrive", "--tenant", "acme"]), { queued: 1_001 });
  await installation.sql("delete from jobs");

  await administer(simulator, "PUT", "/faults?instance=many", { "no-bulk": 1 });
  for (let n = 0; n < 101; n++) await administer(simulator, "POST", "/orders/many", {});
  await installation.sql(
    `update invoices set wms_order_id = 50000 + substr(number, 6)::int, wms_instance = 'many.localhost'
    where company_id = $1 and substr(number, 6)::int <= 102`,
    [company],
  );
  assert.deepEqual(await json(["wms", "sync", "--tenant", "acme", "--invoice", "many-101"]), {
    checked: 1,
    changed: 1,
    missing: 0,
  });
  await json(["wms", "sync", "--tenant", "acme"]);
  const told = await installation.sql(
    `select wms_status as status, wms_error as error, count(*)::int from invoices where company_id = $1 and wms_order_id is not null
    group by 1, 2 order by 1`,
    [company],
  );
  assert.deepEqual(told, [
    { status: "new", error: null, count: 101 },
    { status: null, error: '{"code":"gone"}', count: 1 },
  ]);
  await installation.sql("update invoices set wms_order_id = null, wms_state = 'not_sent' where company_id = $1", [
    company,
  ]);
});

for (const [command, environment] of [
  ["worker", {}],
  ["serve", { LIAISON_WORKER: "on" }],
] as const) {
  test(`\`${command}\` that gets SIGTERM lets a call end, records its order, and logs no key and no person`, async () => {
    const instance = `stopped-${command}`;
    const company = await connectedCompany(instance);
    await api("POST", `/companies/${company}/addresses`, {
      type: "delivery",
      address: "Strada Depozitelor 4",
      contact_name: "Radu Ilie",
      phone: "+40 264 555 020",
    });
    await administer(simulator, "PUT", `/faults?instance=${instance}`, { slow: 1 });
    const { id } = await api("POST", `/companies/${company}/invoices`, { number: instance });
    const program = installation.start([command], { environment: { ...environment, LOG_LEVEL: "trace" } });
    await poll("its start", () => program.output().includes("ready"));
    assert.deepEqual(await json(["wms", "push", "--tenant", "acme", "--invoice", instance]), {
      queued: 1,
      skipped: [],
    });
    const stateOf = async () =>
      (await installation.sql("select wms_state, wms_order_id from invoices where id = $1", [id]))[0] ?? {};
    await poll("its call", async () => (await stateOf()).wms_state === "sending");
    program.process.kill("SIGTERM");
    assert.equal(await program.ended, 0);
    assert.deepEqual(await stateOf(), { wms_state: "sent", wms_order_id: "50001" });
    assert.doesNotMatch(program.output() + program.complaints(), /key-0123456789|Radu|Depozitelor|264 ?555/);
  });
}

test("without a way to warehouses every command says so, and changes nothing", async () => {
  const nowhere = { environment: { LIAISON_WMS_URL: "" } };
  const unreachable = "No warehouse can be reached from this installation.";
  const company = await connectedCompany("nowhere");
  await api("POST", `/companies/${company}/invoices`, { number: "nowhere" });
  const push = ["wms", "push", "--tenant", "acme", "--invoice", "nowhere"];
  assert.deepEqual(await json(push, nowhere), { queued: 0, skipped: [{ number: "nowhere", reason: unreachable }] });
  for (const command of ["redrive", "sync", "reconfirm"]) {
    const { code, stderr } = await run(["wms", command, "--tenant", "acme"], nowhere);
    assert.deepEqual([code, stderr.trim()], [1, unreachable], command);
  }
  assert.equal((await json(["wms", "status", "--tenant", "acme"], nowhere)).queued, 0);
});

test("wrong arguments get one line that says what to do", async () => {
  for (const [args, line] of [
    [["push", "--tenant", "acme"], "Say which invoices: one of --invoice NUMBER, --company ID and --all."],
    [
      ["push", "--tenant", "acme", "--all", "--invoice", "A"],
      "Say which invoices: one of --invoice NUMBER, --company ID and --all.",
    ],
    ...["push", "redrive", "sync"].map(
      (command) =>
        [[command, "--tenant", "acme", "--invoice", "NONE"], 'The tenant "acme" has no invoice "NONE".'] as const,
    ),
    [["reconfirm", "--tenant", "acme", "--confirm", "none, NONE"], 'The tenant "acme" has no invoice "NONE".'],
    [["push", "--tenant", "acme", "--company", "999999"], "There is no company 999999."],
    [["redrive"], "error: required option '--tenant <slug>' not specified"],
    [
      ["reconfirm", "--tenant", "acme", "--confirm-grade", "ambiguous"],
      "Only links of the grades exact and strong are confirmed by grade.",
    ],
    [["reconfirm", "--tenant", "nobody"], 'There is no tenant "nobody".'],
    [["sync", "--tenant", "nobody"], 'There is no tenant "nobody".'],
  ] as const) {
    const { code, stderr } = await run(["wms", ...args]);
    assert.deepEqual([code, stderr.trim()], [1, line]);
  }
});
