import assert from "node:assert/strict";
import { test } from "node:test";
import { createInstallation, requester } from "../cli/installation.ts";
import { poll, serve } from "../program.ts";
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
