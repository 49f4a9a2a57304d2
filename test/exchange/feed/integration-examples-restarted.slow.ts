import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { createInstallation, createWorkspace, requester } from "../../cli/installation.ts";
import { freePort, poll, serve, start, type Program } from "../../program.ts";

/** The examples of docs/integration-examples/, each against a server that is killed and started again meanwhile. */
const directory = fs.mkdtempSync(path.join(os.tmpdir(), "liaison-examples-"));
after(() => fs.rmSync(directory, { recursive: true, force: true }));
const installation = await createInstallation();
await installation.run(["init"]);
const PORT = String(await freePort());
const url = `http://127.0.0.1:${PORT}`;
const settings = {
  ...installation.environment,
  PORT,
  LIAISON_RATE_LIMIT: "0",
  LIAISON_WEBHOOK_PRIVATE_NETWORKS: "127.0.0.1",
};
let server = await serve(settings, [], ["--no-demo"]);

async function kill(program: Program): Promise<void> {
  program.process.kill("SIGKILL");
  await program.ended;
}

async function killedServer(): Promise<void> {
  await kill(server);
}

async function restartServer(): Promise<void> {
  // Whatever the killed server did is done again at once, instead of a minute later.
  await installation.sql("update jobs set lease_until = now() - interval '1 second' where state = 'running'");
  server = await serve(settings, [], ["--no-demo"]);
}

function example(name: string, argv: string[], environment: Record<string, string>): Program {
  const file = path.join(import.meta.dirname, "../../../docs/integration-examples", name);
  return start(argv, { LIAISON: url, ...environment }, "", [], file);
}

async function workspace(slug: string) {
  const capabilities = [
    "companies:write",
    "companies:read",
    "contacts:write",
    "contacts:read",
    "addresses:write",
    "addresses:read",
    "invoices:write",
    "invoices:read",
    "changes:read",
    "webhooks:write",
    "webhooks:read",
  ] as const;
  const { token } = await installation.prepare(async (deps) => await createWorkspace(deps, slug, [...capabilities]));
  return { token, send: requester(url, token), slug };
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests assert on what it turns out to be
function rowsOf(file: string, query: string): any[] {
  if (!fs.existsSync(file)) return [];
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return database
      .prepare(query)
      .all()
      .map((row) => Object.assign({}, row));
  } catch {
    // Its tables are not made yet.
    return [];
  } finally {
    database.close();
  }
}

test("the night of an ERP is written once, though its program and the server are killed", async () => {
  const { token, send } = await workspace("erp");
  const numbers = Array.from({ length: 300 }, (_, at) => at);
  const items = numbers.flatMap((at) => {
    const company_external = { erp: `c-${at}` };
    return [
      { kind: "invoices", external: { erp: `i-${at}` }, company_external, number: `F-${at}`, total: "1" },
      { kind: "contacts", external: { erp: `p-${at}` }, company_external, first_name: "Ana", last_name: `Pop ${at}` },
      { kind: "companies", external: company_external, name: `Company ${at}` },
    ];
  });
  items.push({ kind: "contacts", external: { erp: "lost" }, company_external: { erp: "unknown" } } as never);
  const [file, database] = [path.join(directory, "night.jsonl"), path.join(directory, "night.db")];
  fs.writeFileSync(file, items.map((item) => JSON.stringify(item)).join("\n"));
  const run = () => example("erp-night.ts", [file, database], { TOKEN: token, BATCH: "20" });
  const answered = () => rowsOf(database, "select * from answered").length;
  let program = run();
  for (const least of [3, 12, 25]) {
    await poll(`${least} batches`, () => answered() >= least || program.process.exitCode !== null);
    if (least === 12) await killedServer();
    await kill(program);
    program = run();
    if (least === 12) await restartServer();
  }
  const { code, stdout } = await program.finished();
  assert.deepEqual([code, stdout], [0, "created: 900, rejected: 1\n"], program.complaints());
  const found = await installation.sql(
    `select (select count(*) from companies) as companies, (select count(*) from contacts) as contacts,
      (select count(*) from invoices) as invoices, (select count(*) from changes where type in ('company', 'contact', 'invoice')) as changes`,
  );
  assert.deepEqual(found, [{ companies: "300", contacts: "300", invoices: "300", changes: "900" }]);
  // The same file again sends nothing. A lost file of answers repeats the same batches, and none is written again.
  assert.equal((await run().finished()).stdout, stdout);
  fs.rmSync(database);
  assert.equal((await run().finished()).stdout, stdout);
  assert.equal((await send("GET", "/api/v1/companies")).body.total, 300);
});

test("a replica has every company with its contacts and addresses, though it and the server are killed", async () => {
  const { token, send } = await workspace("replica");
  const items = Array.from({ length: 120 }, (_, at) => ({ name: `Company ${at}`, external: { erp: `c-${at}` } }));
  const { results } = (await send("POST", "/api/v1/companies/batch", { items })).body;
  const ids: number[] = results.map(({ id }: { id: number }) => id);
  const children = ids.map((company_id, at) => ({ company_id, first_name: "Ana", last_name: `Pop ${at}` }));
  await send("POST", "/api/v1/contacts/batch", { items: children });
  await send("POST", "/api/v1/addresses/batch", {
    items: ids.map((company_id, at) => ({ company_id, address: `Str. Mare ${at}` })),
  });
  const file = path.join(directory, "replica.db");
  const run = () => example("replica.ts", [file], { TOKEN: token });
  const rows = () => rowsOf(file, "select type, id, data from resources order by type, id");
  let program = run();
  await poll("the first page", () => rows().length > 0);
  await kill(program);
  const [first = 0, second = 0, third = 0] = ids;
  await send("PUT", `/api/v1/companies/${first}`, { city: "Cluj" });
  await send("DELETE", `/api/v1/companies/${second}`);
  program = run();
  await poll(
    "the feed",
    () => rowsOf(file, "select * from cursors where name = 'walk' and value is null").length === 1,
  );
  await killedServer();
  await restartServer();
  await send("DELETE", `/api/v1/companies/${third}`);
  await send("POST", `/api/v1/companies/${second}/restore`);
  await send("POST", `/api/v1/companies/${first}/contacts`, { first_name: "Dan", last_name: "Rusu" });
  const expected = async () => {
    const all: string[] = [];
    for (const company of (await send("GET", "/api/v1/companies?per_page=200")).body.data) {
      all.push(told("company", company));
      for (const [type, noun] of [
        ["contact", "contacts"],
        ["address", "addresses"],
      ] as const) {
        const list = (await send("GET", `/api/v1/companies/${company.id}/${noun}`)).body.data;
        for (const row of list) all.push(told(type, row));
      }
    }
    return all.toSorted();
  };
  const whole = await expected();
  assert.equal(whole.length, 119 * 3 + 1);
  const copied = () => rows().map(({ type, data }) => told(type, JSON.parse(data)));
  await poll("the same resources", () => JSON.stringify(copied().toSorted()) === JSON.stringify(whole));
  assert.equal(program.complaints(), "");
  await kill(program);
});

/** A resource without the members that only one of list and GET has. */
function told(type: string, { id, name, last_name, address, city, updated_at }: Record<string, unknown>): string {
  return JSON.stringify([type, id, name ?? last_name ?? address, city, updated_at]);
}

test("a shop knows each order's state, once, though it and the server are killed; a forged message changes nothing", async () => {
  const { send, slug } = await workspace("shop");
  const port = String(await freePort());
  const hook = `http://127.0.0.1:${port}/`;
  const types = ["created", "moved", "final", "cancelled", "lost"].map((event) => `invoice.order_${event}`);
  const { id, secret } = (await send("POST", "/api/v1/webhooks", { url: hook, types })).body.data;
  const { id: company } = (await send("POST", "/api/v1/companies", { name: "A", tax_id: "RO1" })).body.data;
  const { id: invoice } = (await send("POST", `/api/v1/companies/${company}/invoices`, { number: "F-1" })).body.data;
  const database = path.join(directory, "shop.db");
  const run = async () => {
    const program = example("shop-orders.ts", [database], { SECRET: secret, PORT: port });
    await poll("the shop", () => program.output().includes("ready"));
    return program;
  };
  /** The order of the invoice, as a file from the warehouse has it. */
  const order = async (status: string) => {
    const file = path.join(directory, "orders.csv");
    const columns = "number,company_tax_id,wms_instance,wms_order_id,wms_order_number,wms_status";
    fs.writeFileSync(file, `${columns}\nF-1,RO1,nord,7,W-7,${status}\n`);
    const { updated } = await installation.json(["import", "invoices", "--tenant", slug, file]);
    assert.equal(updated, 1);
  };
  const orders = () => rowsOf(database, "select * from orders");
  const state = (status: string, event: string) => {
    return [{ invoice, order_id: 7, order_number: "W-7", status, event: `invoice.order_${event}` }];
  };
  const become = async (status: string, event: string) => {
    const expected = JSON.stringify(state(status, event));
    await poll(`the order as ${status}`, () => JSON.stringify(orders()) === expected);
  };

  let shop = await run();
  await order("new");
  await become("new", "created");
  // A message that is sent again changes nothing.
  const deliveries = async () => (await send("GET", `/api/v1/webhooks/${id}/deliveries`)).body.data;
  await poll("its answer", async () => (await deliveries())[0].delivered_at !== null);
  const [{ id: delivery, delivered_at: before }] = await deliveries();
  await send("POST", `/api/v1/webhooks/${id}/deliveries/${delivery}/redeliver`);
  await poll("the second delivery", async () => {
    const [{ delivered_at: at }] = await deliveries();
    return at !== null && at !== before;
  });
  assert.equal(shop.output().split("invoice.order_created").length, 2, "it has one effect");

  await kill(shop);
  await order("picking");
  await killedServer();
  await restartServer();
  shop = await run();
  await become("picking", "moved");
  await order("shipped");
  await become("shipped", "final");
  assert.equal(rowsOf(database, "select * from messages").length, 3);

  const post = async (by: string, seconds: number) => {
    const body = JSON.stringify({
      type: "invoice.order_lost",
      data: { resource_id: invoice, order: { order_id: 8, order_number: "X", status: "x", previous: null } },
    });
    const key = Buffer.from(by.slice("whsec_".length), "base64");
    const signature = createHmac("sha256", key).update(`9.${seconds}.${body}`).digest("base64");
    const headers = { "webhook-id": "9", "webhook-timestamp": `${seconds}`, "webhook-signature": `v1,${signature}` };
    return (await fetch(hook, { method: "POST", headers, body })).status;
  };
  const now = Math.floor(Date.now() / 1_000);
  const other = `whsec_${Buffer.alloc(32).toString("base64")}`;
  assert.deepEqual([await post(other, now), await post(secret, now - 3_600)], [401, 401]);
  assert.deepEqual(orders(), state("shipped", "final"));
  await kill(shop);
});
