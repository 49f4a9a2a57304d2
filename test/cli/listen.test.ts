import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { startReceiver, verified, type Heard, type Receiver } from "../exchange/webhooks/receiver.ts";
import { runsOf } from "../exchange/webhooks/runs.ts";
import type { TestTenant } from "../harness.ts";
import { administer } from "../orders/wms/instance-calls.ts";
import { startWithWarehouse } from "../orders/wms/warehouse.ts";
import { freePort, poll, start, type Program } from "../program.ts";

/** `liaison listen`: forwards what webhooks would send, as a client of the API. */
const server = await startWithWarehouse({ LIAISON_WEBHOOK_PRIVATE_NETWORKS: "127.0.0.1" });
const runs = runsOf(server);
const directory = fs.mkdtempSync(path.join(os.tmpdir(), "liaison-listen-"));
after(() => fs.rmSync(directory, { recursive: true, force: true }));
// It has no database: none is at this address.
const environment = { DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" };

function fileWith(name: string, text: string): string {
  const file = path.join(directory, name);
  fs.writeFileSync(file, `${text}\n`);
  return file;
}

async function listen(tenant: TestTenant, forward: string, ...more: string[]): Promise<Program> {
  return await listenWithin([], tenant, forward, ...more);
}

/** The same in the command that runs it. */
async function listenWithin(
  within: string[],
  tenant: TestTenant,
  forward: string,
  ...more: string[]
): Promise<Program> {
  const { token } = await tenant.createKey({ capabilities: ["changes:read", "companies:read", "invoices:read"] });
  const key = fileWith(`key-${tenant.id}`, token);
  const command = ["listen", "--key", key, "--url", server.url, "--forward", forward, ...more];
  const program = start(command, environment, "", within);
  await poll(
    "its start",
    () => program.output().includes("Forwarding changes to") || program.process.exitCode !== null,
  );
  return program;
}

function secretIn(program: Program): string {
  return /whsec_\S+/.exec(program.output())?.[0] ?? "";
}

async function interrupted(program: Program): Promise<string> {
  program.process.kill("SIGINT");
  const { code, stdout } = await program.finished();
  assert.equal(code, 0, program.complaints());
  return /--after (\S+)/.exec(stdout)?.[1] ?? "";
}

/** A message without what differs in each attempt: its time and its signature. */
function same({ headers, text }: Heard): object {
  return { headers: ["content-type", "user-agent", "webhook-id"].map((name) => headers[name]), text };
}

test("a forwarded message has a webhook's id, body and headers, its signature, and one line", async () => {
  const tenant = await server.createTenant();
  const [sent, forwarded] = [await startReceiver(), await startReceiver()];
  await tenant.post("/api/v1/companies", { name: "Before the start" });
  await tenant.post("/api/v1/webhooks", { url: sent.url, body: "full" });
  await runs.run(tenant);
  const program = await listen(tenant, forwarded.url, "--full");
  const { id } = (await tenant.post("/api/v1/companies", { name: "Ață SRL", tax_id: "RO1" })).body.data;
  await tenant.put(`/api/v1/companies/${id}`, { city: "Cluj" });
  await forwarded.untilHeard(2);
  await runs.run(tenant);
  // Both have the resource as it was when the message was made.
  const [first, second] = forwarded.heard.map(same);
  assert.deepEqual(second, same(sent.heard[1] as Heard));
  assert.deepEqual({ ...first, text: "" }, { ...same(sent.heard[0] as Heard), text: "" });
  const secret = secretIn(program);
  for (const heard of forwarded.heard) assert.ok(verified(secret, heard));
  const change = forwarded.heard[1]?.headers["webhook-id"];
  await poll("its lines", () => program.output().includes(`company.updated ${String(change)} 204\n`));
  assert.equal((await tenant.get("/api/v1/companies")).body.total, 2, "the server goes on");
  await interrupted(program);
});

test("contacts and addresses of a deleted company are forwarded as a webhook with children gets them", async () => {
  const tenant = await server.createTenant();
  const [sent, forwarded] = [await startReceiver(), await startReceiver()];
  await tenant.post("/api/v1/webhooks", { url: sent.url, children: true });
  const { id } = (await tenant.post("/api/v1/companies", { name: "A" })).body.data;
  await tenant.post(`/api/v1/companies/${id}/contacts`, { first_name: "Ana", last_name: "Pop" });
  await tenant.post(`/api/v1/companies/${id}/addresses`, { address: "Street 1" });
  const program = await listen(tenant, forwarded.url, "--children");
  await tenant.delete(`/api/v1/companies/${id}`);
  await tenant.post(`/api/v1/companies/${id}/restore`);
  await runs.run(tenant);
  await forwarded.untilHeard(6);
  const events: string[] = forwarded.heard.map(({ body }) => body.type);
  const [hidden, shown] = [events.slice(0, 3), events.slice(3)];
  assert.deepEqual(
    [hidden[0], hidden.slice(1).toSorted(), shown[0], shown.slice(1).toSorted()],
    ["company.deleted", ["address.hidden", "contact.hidden"], "company.restored", ["address.shown", "contact.shown"]],
  );
  const byId = (all: readonly Heard[]) => new Map(all.map((heard) => [heard.headers["webhook-id"], same(heard)]));
  // The webhook heard the three creations first, and it sends the messages of different resources concurrently.
  const atWebhook = byId(sent.heard);
  assert.equal(atWebhook.size, 9);
  for (const [change, message] of byId(forwarded.heard)) assert.deepEqual(message, atWebhook.get(change));
  await interrupted(program);
});

test("stopped amid the children of a company, it continues with the next of them", async () => {
  const tenant = await server.createTenant();
  const receiver = await startReceiver();
  const { id } = (await tenant.post("/api/v1/companies", { name: "A" })).body.data;
  for (const first_name of ["Ana", "Ion", "Dan"])
    await tenant.post(`/api/v1/companies/${id}/contacts`, { first_name, last_name: "Pop" });
  let count = 0;
  receiver.answers((_heard, response) => response.writeHead(++count > 2 ? 500 : 204).end());
  const program = await listen(tenant, receiver.url, "--children");
  await tenant.delete(`/api/v1/companies/${id}`);
  await poll("the failure", () => program.complaints().includes("500: it is sent again"));
  const cursor = await interrupted(program);
  const kept = new Set(receiver.heard.slice(0, 2).map(({ headers }) => headers["webhook-id"]));
  receiver.heard.length = 0;
  receiver.answers(204);
  const resumed = await listen(tenant, receiver.url, "--children", "--after", cursor);
  await receiver.untilHeard(2);
  assert.deepEqual(
    receiver.heard.map(({ body }) => body.type),
    ["contact.hidden", "contact.hidden"],
  );
  assert.ok(receiver.heard.every(({ headers }) => !kept.has(headers["webhook-id"])));
  await interrupted(resumed);
});

test("a receiver that is down misses nothing, and a stopped program continues at its cursor", async () => {
  const tenant = await server.createTenant();
  const receiver = await startReceiver();
  const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
  const file = fileWith("secret", secret);
  const program = await listen(tenant, receiver.url, "--secret", file);
  assert.equal(secretIn(program), "", "a secret of its user is not printed");
  receiver.answers(503);
  const items = Array.from({ length: 5 }, (_, at) => ({ name: `Company ${at}` }));
  await tenant.post("/api/v1/companies/batch", { items });
  await poll("the failure", () => program.complaints().includes("503: it is sent again"));
  let count = 0;
  receiver.answers((_heard, response) => response.writeHead(++count > 2 ? 500 : 204).end());
  await poll("two messages", () => program.output().split("company.created ").length === 3);
  const cursor = await interrupted(program);
  assert.notEqual(cursor, "");
  receiver.heard.length = 0;
  receiver.answers(204);
  const resumed = await listen(tenant, receiver.url, "--secret", file, "--after", cursor);
  await receiver.untilHeard(3);
  const names = receiver.heard.map((heard) => {
    verified(secret, heard);
    return heard.body.data.changed.name.to;
  });
  assert.deepEqual(names, ["Company 2", "Company 3", "Company 4"]);
  await interrupted(resumed);
});

test("a receiver that is not there yet gets its messages once it is", async () => {
  const tenant = await server.createTenant();
  const port = await freePort();
  const program = await listen(tenant, `http://127.0.0.1:${port}/hooks`);
  await tenant.post("/api/v1/companies", { name: "A" });
  await poll("the failure", () => program.complaints().includes("ECONNREFUSED: it is sent again"));
  const receiver: Receiver = await startReceiver(port);
  await receiver.untilHeard(1);
  assert.equal(receiver.heard[0]?.body.type, "company.created");
  await interrupted(program);
});

test("the events of orders are forwarded as a webhook gets them", async () => {
  const tenant = await server.createTenant();
  const [sent, forwarded] = [await startReceiver(), await startReceiver()];
  const company = await server.connect(tenant, "listened");
  await tenant.post("/api/v1/webhooks", { url: sent.url });
  const program = await listen(tenant, forwarded.url);
  const path = `/api/v1/companies/${company}/invoices`;
  const { id } = (await tenant.post(path, { number: "F-1", total: "1", currency: "RON" })).body.data;
  await tenant.post(`/api/v1/invoices/${id}/wms-order`);
  const { order_id: orderId, synced_at: before } = await server.until(tenant, id, ({ state }) => state === "sent");
  await administer(server.simulator, "PUT", `/orders/listened/${orderId}`, { status: "Shipped" });
  await server.sql("update invoices set wms_poll_at = now() where tenant_id = $1 and id = $2", [tenant.id, id]);
  await server.sql("update jobs set run_at = now() where tenant_id = $1 and kind = 'follow-orders'", [tenant.id]);
  await server.until(tenant, id, ({ synced_at: now }) => now !== before);
  const typed = (receiver: Receiver) => receiver.heard.filter(({ body }) => body.data.type === "invoice").map(same);
  const isFinal = ({ heard }: Receiver) => heard.some(({ body }) => body.type === "invoice.order_final");
  await poll("the events at both", async () => {
    await runs.run(tenant);
    return isFinal(sent) && isFinal(forwarded);
  });
  assert.deepEqual(typed(forwarded), typed(sent));
  await interrupted(program);
});

test("Ctrl+C ends it in one line while its server cannot be reached", async () => {
  const tenant = await server.createTenant();
  const nowhere = `http://127.0.0.1:${await freePort()}/`;
  const argv = ["--url", nowhere, "--key", fileWith("lonely", tenant.token), "--forward", "http://127.0.0.1:9/"];
  const program = start(["listen", ...argv], environment);
  await poll("its wait", () => program.complaints().includes("cannot be reached"));
  program.process.kill("SIGINT");
  const { code, stderr } = await program.finished();
  assert.equal(code, 130);
  assert.match(stderr, /^http:\S+ cannot be reached .*\nInterrupted\.\n$/);
});

test("a wrong key, cursor, secret or address is one line on standard error", async () => {
  const tenant = await server.createTenant();
  const { token } = await tenant.createKey({ capabilities: ["companies:read"] });
  const refusal = async (...argv: string[]) => {
    const { code, stderr } = await start(["listen", "--url", server.url, ...argv], environment).finished();
    assert.equal(code, 1);
    return stderr;
  };
  const forward = ["--forward", "http://127.0.0.1:9/"];
  const [wrong, right] = [fileWith("weak", token), fileWith("whole", tenant.token)];
  assert.equal(
    await refusal("--key", wrong, ...forward),
    "The server refuses (403): Missing capability: changes:read\n",
  );
  assert.equal(
    await refusal("--key", right, "--after", "nonsense", ...forward),
    "The server refuses (422): Invalid cursor.\n",
  );
  assert.equal(await refusal("--key", right, "--forward", "mailto:a@b"), "--forward is no http or https address.\n");
  assert.equal(
    await refusal("--key", right, "--secret", wrong, ...forward),
    "The file of --secret has no secret: whsec_ and base64.\n",
  );
  assert.equal(await refusal("--key", fileWith("empty", ""), ...forward), "The file of --key is empty.\n");
});

test("a reader of its lines that leaves ends it", async () => {
  const tenant = await server.createTenant();
  const forwarded = await startReceiver();
  const program = await listenWithin(["bash", "-c", '"$@" | head -n 2', "bash"], tenant, forwarded.url);
  await poll("its end", async () => {
    await tenant.post("/api/v1/companies", { name: "A" });
    return program.process.exitCode !== null;
  });
});
