import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { test } from "node:test";
import { createInstallation, requester } from "../../cli/installation.ts";
import { poll, serve } from "../../program.ts";
import { startReceiver, verified } from "./receiver.ts";

/** Real servers and workers, and what becomes of deliveries when workers die and receivers hang. */
const installation = await createInstallation();
const environment = { LIAISON_WEBHOOK_PRIVATE_NETWORKS: "127.0.0.1" };
await installation.json(["tenant", "create", "acme", "--name", "Acme"]);
const { token } = await installation.json([
  "key",
  "create",
  "--tenant",
  "acme",
  "--name",
  "a",
  "--capabilities",
  "companies:write,webhooks:write",
]);
const { url } = await serve({ ...installation.environment, ...environment, LIAISON_WORKER: "off" });
const send = requester(url, token);

const startWorker = () => installation.start(["worker"], { environment });
const company = async (name: string) => (await send("POST", "/api/v1/companies", { name })).body.data.id as number;

test("a worker that is killed while it sends loses nothing, and each resource stays in its order", async () => {
  const receiver = await startReceiver();
  const made = await send("POST", "/api/v1/webhooks", { url: receiver.url });
  const { id, secret } = made.body.data;
  // It hears, and does not answer.
  receiver.answers(() => {});
  const first = startWorker();
  const companies = [await company("A"), await company("B"), await company("C")];
  for (const at of companies) await send("PUT", `/api/v1/companies/${at}`, { city: "Turda" });
  await receiver.untilHeard(1);
  first.process.kill("SIGKILL");
  await first.ended;
  receiver.answers(204);
  await installation.sql("update jobs set lease_until = now() - interval '1 second' where state = 'running'");
  startWorker();
  await poll("all deliveries", async () => {
    const { data } = (await send("GET", `/api/v1/webhooks/${id}/deliveries`)).body;
    return data.length === 6 && data.every(({ delivered_at: at }: { delivered_at: string | null }) => at !== null);
  });
  for (const heard of receiver.heard) verified(secret, heard);
  const ids = receiver.heard.map(({ headers }) => Number(headers["webhook-id"]));
  assert.equal(new Set(ids).size, 6);
  assert.equal(ids.length, 7, "the one that was under way came twice");
  for (const at of companies) {
    const types = receiver.heard.filter(({ body }) => body.data.resource_id === at).map(({ body }) => body.type);
    assert.deepEqual([...new Set(types)], ["company.created", "company.updated"]);
    assert.equal(types.at(-1), "company.updated");
  }
  await send("DELETE", `/api/v1/webhooks/${id}`);
});

test("a receiver that hangs keeps no other waiting", async () => {
  const [hanging, quick] = [await startReceiver(), await startReceiver()];
  hanging.answers(() => {});
  for (const { url: target } of [hanging, quick]) await send("POST", "/api/v1/webhooks", { url: target });
  await company("D");
  await hanging.untilHeard(1);
  for (const name of ["E", "F", "G", "H"]) await company(name);
  await quick.untilHeard(5);
  assert.equal(hanging.heard.length, 1, "one that has not answered is not asked anything more");
  const names = quick.heard.map(({ body }) => String(body.data.changed.name.to));
  assert.deepEqual(names.toSorted(), ["D", "E", "F", "G", "H"]);
});

test("an attempt that fails waits for what it has sent: the next one may send the same", async () => {
  const receiver = await startReceiver();
  const held: ServerResponse[] = [];
  receiver.answers((_heard, response) => {
    if (receiver.heard.length === 1) response.writeHead(204).end();
    else held.push(response);
  });
  const { id } = (await send("POST", "/api/v1/webhooks", { url: receiver.url })).body.data;
  const items = ["I", "J", "K"].map((name) => ({ name }));
  await send("POST", "/api/v1/companies/batch", { items });
  await receiver.untilHeard(3);
  await installation.sql("create sequence refusals");
  await installation.sql(`create function refuse() returns trigger language plpgsql as $$ begin
    perform nextval('public.refusals');
    raise exception 'refused';
  end $$`);
  await installation.sql("grant usage on sequence refusals to liaison_app");
  await installation.sql(`create trigger refuse before update on webhook_deliveries
    for each row when (new.webhook_id = ${id}) execute function refuse()`);
  const attempt = async () => {
    const [row] = await installation.sql(
      `select r.is_called, j.attempt, j.state from refusals r, jobs j where j.subject = ${id} and j.kind = 'send-webhook'`,
    );
    return { isRefused: String(row?.is_called) === "true", is: `${row?.attempt} ${row?.state}` };
  };
  const before = await attempt();
  held.shift()?.writeHead(204).end();
  await poll("the refusal", async () => (await attempt()).isRefused);
  // A run that does not wait has ended by then.
  for (let look = 0; look < 50; look++) assert.equal((await attempt()).is, before.is);
  await installation.sql("drop trigger refuse on webhook_deliveries");
  receiver.answers(204);
  for (const response of held) response.writeHead(204).end();
  await poll("all deliveries", async () => {
    const { data } = (await send("GET", `/api/v1/webhooks/${id}/deliveries`)).body;
    return data.length === 3 && data.every(({ delivered_at: at }: { delivered_at: string | null }) => at !== null);
  });
});
