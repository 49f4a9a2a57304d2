import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { attemptJob } from "../../src/jobs/attempt-job.ts";
import { finishing, hasten } from "../../src/jobs/job-queries.ts";
import { removeConnection, saveConnection } from "../../src/wms/connection/connection-queries.ts";
import { kinds } from "../../src/worker.ts";
import { startServer } from "../harness.ts";
import { queueOf } from "../jobs/queue.ts";
import { createScriptedWarehouse, type Look, type Post, type ScriptedWarehouse } from "./scripted-warehouse.ts";

/** Every order of what warehouses, workers and people do about an invoice: never two orders, and the link is the order. */
const KIND = "send-invoice";
const server = await startServer();
const { database, keyring, config } = server.deps;
const queue = queueOf(server);
const tenant = await server.createTenant();
const company = String((await tenant.post("/api/v1/companies", { name: "Dacia Tools" })).body.data.id);
let numbers = 0;

type Step =
  /** A worker takes the job, where one waits. If its call stalls, it loses its lease. */
  | { step: "attempt"; post: Post; look: Look }
  /** The workers that stall go on. */
  | { step: "wake" }
  /** As long as LIAISON_WMS_SETTLE. */
  | { step: "settle" }
  | { step: "queue" }
  | { step: "connect"; subdomain: string | null }
  | { step: "change"; status: string };

const posts: Post[] = [
  "created",
  "executed",
  "executed later",
  "lost",
  "throttled",
  "refused",
  "credentials",
  "unsent",
];
const post = fc.constantFrom<Post>(...posts, "stalls before", "stalls after", "stalls meanwhile");
const look = fc.constantFrom<Look>("all", "lagging", "unknown", "throttled", "credentials", "unsent", "stalls");
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 9, arbitrary: fc.record({ step: fc.constant("attempt" as const), post, look }) },
  { weight: 2, arbitrary: fc.constant<Step>({ step: "wake" }) },
  { weight: 4, arbitrary: fc.constant<Step>({ step: "settle" }) },
  { weight: 3, arbitrary: fc.constant<Step>({ step: "queue" }) },
  {
    weight: 3,
    arbitrary: fc.record({
      step: fc.constant("connect" as const),
      subdomain: fc.constantFrom("home", "away", "away", null),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ step: fc.constant("change" as const), status: fc.constantFrom("issued", "cancelled") }),
  },
);

/** A worker that stalls at its look-up, and again at the call that it makes for want of an order. */
const STALLS_TWICE: Step[] = [
  { step: "attempt", post: "lost", look: "all" },
  { step: "settle" },
  { step: "attempt", post: "stalls before", look: "stalls" },
  { step: "wake" },
];

test("in whatever order things happen, an invoice becomes one order at most, and in the end one", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25, size: "max" }), async (steps) => {
      const scene = await setScene();
      for (const each of [{ step: "queue" } as const, ...steps]) {
        await take(scene, each);
        await check(scene);
      }
      await untilSent(scene);
    }),
    { numRuns: 50, examples: [[STALLS_TWICE]] },
  );
});

/** One invoice, and the attempts at it that stall. */
type Scene = { id: string; warehouse: ScriptedWarehouse; stalling: Promise<unknown>[] };

async function setScene(): Promise<Scene> {
  await queue.empty(tenant);
  await connect("home");
  const { body } = await tenant.post(`/api/v1/companies/${company}/invoices`, { number: `INV-${++numbers}` });
  return { id: String(body.data.id), warehouse: createScriptedWarehouse(), stalling: [] };
}

async function take(scene: Scene, each: Step): Promise<void> {
  const { id, warehouse } = scene;
  switch (each.step) {
    case "attempt":
      Object.assign(warehouse.script, { post: each.post, look: each.look });
      return await attempt(scene);
    case "wake":
      return await wake(scene);
    case "settle":
      warehouse.settle();
      await server.sql("update invoices set wms_open_since = wms_open_since - $2 * interval '1 second' where id = $1", [
        id,
        config.wms.settleSeconds,
      ]);
      return;
    case "queue":
      await tenant.post(`/api/v1/invoices/${id}/wms-order`);
      return;
    case "connect":
      return await connect(each.subdomain);
    default:
      assert.equal((await tenant.put(`/api/v1/invoices/${id}`, { status: each.status })).status, 200);
  }
}

async function attempt({ id, warehouse, stalling }: Scene): Promise<void> {
  await database.write(tenant.id, [hasten(KIND, [id])]);
  // Circuits are the queue's own; test/jobs/ has them.
  await server.sql("update lanes set failures = 0, closed_until = null");
  for (const claimed of await queue.claim({ limits: { [KIND]: 1 } })) {
    let isHeld = true;
    const running = attemptJob({ ...server.deps, warehouse: warehouse.client }, kinds, {
      ...claimed,
      signal: new AbortController().signal,
      heldUntil: () => (isHeld ? Infinity : 0),
      finish: finishing.bind(null, claimed),
    });
    const hasStalled = await Promise.race([running.then(() => false), warehouse.stalled().then(() => true)]);
    if (!hasStalled) continue;
    isHeld = false;
    await queue.expire(claimed);
    stalling.push(running);
  }
}

/** Has the attempts that stall go on to their end: after a look-up comes another call, which may stall as well. */
async function wake({ warehouse, stalling }: Scene): Promise<void> {
  const ended = Promise.all(stalling.splice(0)).then(() => true);
  let haveEnded = false;
  while (!haveEnded) {
    const again = warehouse.stalled().then(() => false);
    warehouse.wake();
    haveEnded = await Promise.race([ended, again]);
  }
}

async function connect(subdomain: string | null): Promise<void> {
  const by = "system";
  if (subdomain === null) return await removeConnection(tenant.id, database, company, by);
  const key = keyring.encrypt(tenant.id, "companies.wms_api_key", "key-of-warehouse");
  await saveConnection(tenant.id, database, company, { subdomain, key, sendsAutomatically: false, by });
}

/** The invoice's state, and where an attempt is open; null where none is. */
async function check({ id, warehouse }: Scene): Promise<{ state: unknown; open: string | null }> {
  assert.ok(warehouse.made.length <= 1, `there are ${warehouse.made.length} orders`);
  const [invoice] = await server.sql(
    `select wms_state as state, array[wms_instance, wms_order_id::text] as link, split_part(wms_open_instance, '.', 1) as open
    from invoices where id = $1`,
    [id],
  );
  const [one] = warehouse.made;
  const isSent = invoice?.state === "sent";
  assert.deepEqual(invoice?.link, isSent ? [`${one?.subdomain}.example`, String(one?.order.orderId)] : [null, null]);
  return { state: invoice?.state, open: invoice?.open as string | null };
}

/** Whatever has been, an invoice gets there once all are well and a person asks for it, where its order may be. */
async function untilSent(scene: Scene): Promise<void> {
  const { warehouse } = scene;
  await take(scene, { step: "settle" });
  const { open } = await check(scene);
  await take(scene, { step: "connect", subdomain: warehouse.made[0]?.subdomain ?? open ?? "home" });
  await take(scene, { step: "change", status: "issued" });
  for (let round = 0; round < 5; round++) {
    await take(scene, { step: "queue" });
    await take(scene, { step: "attempt", post: "created", look: "all" });
    await take(scene, { step: "settle" });
    if ((await check(scene)).state === "sent") return;
  }
  assert.fail("the invoice is never sent");
}
