import assert from "node:assert/strict";
import { after, test } from "node:test";
import { enqueue } from "../../../src/kit/jobs/job-queries.ts";
import type { Job, JobKind } from "../../../src/kit/jobs/job.ts";
import { startWorker } from "../../../src/kit/jobs/run-jobs.ts";
import { createLogger } from "../../../src/platform/logger.ts";
import { startServer } from "../../harness.ts";
import { poll } from "../../program.ts";
import { statementsSent } from "../../statements-sent.ts";
import { KIND, queueOf } from "./queue.ts";

/** A worker in this process, whose one kind does what the test says. */
const server = await startServer();
const queue = queueOf(server);
let run: (job: Job) => ReturnType<JobKind["run"]> = async () => ({ outcome: "done" });
const stop = new AbortController();
const kinds = { [KIND]: { limit: () => 4, run: async (_deps: unknown, job: Job) => await run(job) } };
const complaints: string[] = [];
const logger = createLogger("warn", { write: (line) => void complaints.push(line) });
// A poll interval that never ends: only the notification wakes it.
const worker = startWorker({ ...server.deps, logger }, kinds, { stop: stop.signal, pollMs: 600_000, slots: 8 });
after(async () => {
  stop.abort();
  await worker.ended;
});

test("an attempt that throws comes again by itself, counts, and is logged with its job", async () => {
  const tenant = await server.createTenant();
  const tries: number[] = [];
  run = async (job) => {
    tries.push(job.tries);
    if (job.tries < 2) throw new Error("unexpectedly");
    return { outcome: "done" };
  };
  await queue.enqueue(tenant, [1]);
  worker.wake();
  await poll("the end of the job", async () => (await queue.jobs(tenant)).length === 0);
  assert.deepEqual(tries, [1, 2]);
  const logged = complaints.map((line) => JSON.parse(line));
  assert.deepEqual(
    logged.map(({ msg, tenant: of, kind, subject, err }) => [msg, of, kind, subject, err.message]),
    [["an attempt at a job failed unexpectedly; it comes again", tenant.id, KIND, "1", "unexpectedly"]],
  );
});

test("a job that comes again is run again when its time has come, by itself", async () => {
  const tenant = await server.createTenant();
  const attempts: string[] = [];
  run = async (job) => {
    attempts.push(job.attempt);
    return attempts.length < 3 ? { outcome: "again", afterMs: 100, counts: false } : { outcome: "failed" };
  };
  await queue.enqueue(tenant, [1]);
  worker.wake();
  await poll("the end of the job", async () => (await queue.jobs(tenant))[0]?.state === "failed");
  assert.deepEqual(attempts, ["1", "2", "3"]);
  assert.deepEqual(await queue.jobs(tenant), [{ subject: 1, state: "failed", tries: 1 }]);
});

test("a job that its worker claims again before the earlier attempt has ended keeps the lease of the later one", async (t) => {
  const { database } = server.deps;
  const tenant = await server.createTenant();
  const attempts: Job[] = [];
  const ends: (() => void)[] = [];
  const goats: JobKind = {
    limit: () => 4,
    async run(_deps, job) {
      attempts.push(job);
      await new Promise<void>((resolve) => ends.push(resolve));
      return { outcome: "done" };
    },
  };
  const ending = new AbortController();
  const other = startWorker(server.deps, { count_goats: goats }, { stop: ending.signal, leaseMs: 5_000, pollMs: 100 });
  t.after(async () => {
    ending.abort();
    for (const end of ends) end();
    await other.ended;
  });
  await database.write(tenant.id, [enqueue("count_goats", [1], "rocks")]);
  await poll("the first attempt", () => attempts.length === 1);
  // As another worker leaves it, which had it in between.
  await server.sql("update jobs set state = 'waiting', worker = null, lease_until = null where tenant_id = $1", [
    tenant.id,
  ]);
  await poll("the second one", () => attempts.length === 2);
  const leaseOf = async () => {
    return (await server.sql("select attempt::int, lease_until::text from jobs where tenant_id = $1", [tenant.id]))[0];
  };
  const before = await leaseOf();
  ends[0]?.();
  await poll("its renewed lease", async () => (await leaseOf())?.lease_until !== before?.lease_until);
  assert.deepEqual([(await leaseOf())?.attempt, ...attempts.map(({ signal }) => signal.aborted)], [2, true, false]);
  ends[1]?.();
  await poll("the end of the job", async () => (await queue.jobs(tenant)).length === 0);
});

test("more jobs than there are slots are all run, no more of a lane at once than its limit", async () => {
  const tenants = [await server.createTenant(), await server.createTenant()];
  let [now, most] = [0, 0];
  run = async () => {
    most = Math.max(most, ++now);
    await new Promise((resolve) => setImmediate(resolve));
    now--;
    return { outcome: "done" };
  };
  const subjects = Array.from({ length: 50 }, (_, index) => index + 1);
  for (const tenant of tenants) await queue.enqueue(tenant, subjects);
  worker.wake();
  for (const tenant of tenants) await poll("the end of the jobs", async () => (await queue.jobs(tenant)).length === 0);
  assert.ok(most > 1 && most <= 4, `${most} at once`);
});

test("no connection to the database is held while a job calls out", async () => {
  const tenant = await server.createTenant();
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  let running = 0;
  run = async () => {
    running++;
    await released;
    return { outcome: "done" };
  };
  await queue.enqueue(tenant, [1, 2, 3, 4]);
  worker.wake();
  await poll("the jobs", () => running === 4);
  const busy =
    "select from pg_stat_activity where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()";
  await poll("connections at rest", async () => (await server.sql(busy)).length === 0);
  release();
  await poll("the end of the jobs", async () => (await queue.jobs(tenant)).length === 0);
});

test("a worker runs as many jobs at once as it has slots", async () => {
  const SLOTS = 2;
  const OTHER = "shear_sheep";
  const { database } = server.deps;
  let [now, most, begun] = [0, 0, 0];
  const held: (() => void)[] = [];
  const hold = async () => {
    begun++;
    most = Math.max(most, ++now);
    await new Promise<void>((resolve) => held.push(resolve));
    now--;
    return { outcome: "done" } as const;
  };
  // A tenant has half of the slots at most.
  for (let n = 1; n <= 5; n++) {
    await database.write((await server.createTenant()).id, [enqueue(OTHER, [n], `shed-${n}`, 0)]);
  }
  const end = new AbortController();
  const small = startWorker(
    server.deps,
    { [OTHER]: { limit: () => 4, run: hold } },
    { stop: end.signal, pollMs: 600_000, slots: SLOTS },
  );
  for (let ended = 0; ended < 5; ended++) {
    await poll("the next jobs", () => begun >= Math.min(SLOTS + ended, 5));
    held.shift()?.();
  }
  await poll("the end of the jobs", () => now === 0);
  end.abort();
  await small.ended;
  assert.equal(most, SLOTS);
});

test("a job that ends early because its worker stops waits for another worker", async () => {
  const STARS = "count_stars";
  const tenant = await server.createTenant();
  await server.deps.database.write(tenant.id, [enqueue(STARS, [1], "sky", 0)]);
  const end = new AbortController();
  const begun = Promise.withResolvers<AbortSignal>();
  const count = async (_deps: unknown, { stop }: Job) => {
    begun.resolve(stop);
    return await new Promise<never>((_resolve, reject) => {
      stop.addEventListener("abort", () => reject(stop.reason as Error));
    });
  };
  const stopping = startWorker(server.deps, { [STARS]: { limit: () => 1, run: count } }, { stop: end.signal });
  const told = await begun.promise;
  end.abort();
  assert.equal(told.aborted, true);
  await poll("the job in the queue", async () => (await queue.jobs(tenant))[0]?.state === "waiting");
  await stopping.ended;
  await queue.empty(tenant);
});

test("a worker without a job leaves PostgreSQL alone", async () => {
  const before = statementsSent("claim_jobs");
  // A worker without a pause would claim between these.
  for (let time = 0; time < 300; time++) await server.sql("select 1");
  const claims = statementsSent("claim_jobs") - before;
  // It may still be notified of earlier jobs, and extends its leases every ten seconds.
  assert.ok(claims <= 5, `${claims}`);
});
