import assert from "node:assert/strict";
import { test } from "node:test";
import {
  enqueue,
  enqueueSelected,
  finishing,
  hasten,
  hastenAll,
  holding,
  isStaleAttempt,
  readLanes,
} from "../../../src/kit/jobs/job-queries.ts";
import { setSuspended } from "../../../src/people/tenants/tenant-queries.ts";
import { startServer } from "../../harness.ts";
import { KIND, only, queueOf } from "./queue.ts";

const server = await startServer();
const { database } = server.deps;
const queue = queueOf(server);

test("a job is claimed once, by its ids, and is gone once it is done", async () => {
  const tenant = await server.createTenant();
  await queue.enqueue(tenant, [7]);
  const job = only(await queue.claim());
  const { id: _id, ...rest } = job;
  assert.deepEqual(rest, { tenant: tenant.id, kind: KIND, subject: "7", attempt: "1", tries: 1, hasDied: false });
  assert.deepEqual(await queue.claim(), []);
  assert.equal(await queue.finish(job, { outcome: "done" }), true);
  assert.deepEqual(await queue.jobs(tenant), []);
});

test("a transaction that is rolled back leaves no job, one that is committed leaves one", async () => {
  const tenant = await server.createTenant();
  const { statement, parameters } = enqueue(KIND, [1], "pasture");
  const rolledBack = database.transaction(tenant.id, async (run) => {
    await run({ statement, parameters });
    throw new Error("the cause is gone");
  });
  await assert.rejects(rolledBack, /the cause is gone/);
  assert.deepEqual(await queue.jobs(tenant), []);
  assert.deepEqual(await queue.claim(), []);
  await database.transaction(tenant.id, async (run) => await run({ statement, parameters }));
  await queue.finish(only(await queue.claim()), { outcome: "done" });
});

test("what may start in a lane depends on the kind of its own first job, whatever waits in other lanes", async () => {
  const [one, another] = [await server.createTenant(), await server.createTenant()];
  await database.write(another.id, [enqueue("shear_sheep", [1], "barn", 0)]);
  await queue.enqueue(one, [1]);
  const { tenant, kind } = only(await queue.claim({ limits: { shear_sheep: 0, [KIND]: 100 } }));
  assert.deepEqual([tenant, kind], [one.id, KIND]);
  await queue.empty();
});

test("a job that is enqueued twice is one job, also by many at once", async () => {
  const tenant = await server.createTenant();
  await Promise.all(Array.from({ length: 10 }, async () => await queue.enqueue(tenant, [1, 2, 2])));
  const jobs = await queue.claim();
  assert.deepEqual(jobs.map(({ subject }) => subject).toSorted(), ["1", "2"]);
  for (const job of jobs) await queue.finish(job, { outcome: "done" });
  assert.deepEqual(await queue.claim(), []);
});

test("jobs that are enqueued together are written in the order of their subjects, whatever order they are given in", async () => {
  const tenant = await server.createTenant();
  await queue.enqueue(tenant, [100, 9, 20, 10, 8, 9]);
  const rows = await server.sql("select subject::int from jobs where tenant_id = $1 order by id", [tenant.id]);
  assert.deepEqual(
    rows.map(({ subject }) => subject),
    [8, 9, 10, 20, 100],
  );
  await queue.empty();
});

test("a job that is enqueued while it runs is run once more after its end, with any outcome", async () => {
  for (const outcome of [{ outcome: "done" }, { outcome: "failed" }] as const) {
    const tenant = await server.createTenant();
    await queue.enqueue(tenant, [1]);
    const job = only(await queue.claim());
    await queue.enqueue(tenant, [1]);
    await queue.enqueue(tenant, [1]);
    assert.deepEqual(await queue.claim(), []);
    await queue.finish(job, outcome);
    const next = only(await queue.claim());
    assert.deepEqual([next.id, next.attempt, next.tries, next.hasDied], [job.id, "2", 1, false]);
    await queue.finish(next, { outcome: "done" });
    assert.deepEqual(await queue.jobs(tenant), []);
  }
});

test("a job that is enqueued while it runs does not wait, unless whom it called is to be waited for", async () => {
  const tenant = await server.createTenant();
  const again = { outcome: "again", afterMs: 3_600_000, counts: false } as const;
  await queue.enqueue(tenant, [1]);
  const first = only(await queue.claim());
  await queue.enqueue(tenant, [1]);
  await queue.finish(first, again);
  const second = only(await queue.claim());
  await queue.enqueue(tenant, [1]);
  await queue.finish(second, { ...again, answered: true });
  assert.deepEqual(await queue.claim(), []);
  await queue.empty(tenant);
});

test("a job that failed stays to be seen, and waits again when it is enqueued", async () => {
  const tenant = await server.createTenant();
  await queue.enqueue(tenant, [1]);
  await queue.finish(only(await queue.claim()), { outcome: "failed" });
  assert.deepEqual(await queue.jobs(tenant), [{ subject: 1, state: "failed", tries: 1 }]);
  assert.deepEqual(await queue.claim(), []);
  await queue.enqueue(tenant, [1]);
  const again = only(await queue.claim());
  assert.deepEqual([again.attempt, again.tries], ["2", 1]);
  await queue.finish(again, { outcome: "done" });
});

test("a job waits for its time", async () => {
  const tenant = await server.createTenant();
  await queue.enqueue(tenant, [1], { afterMs: 3_600_000 });
  assert.deepEqual(await queue.claim(), []);
  await queue.enqueue(tenant, [2]);
  const now = only(await queue.claim());
  assert.equal(now.subject, "2", "it is before its time beside one whose time has come, too");
  await queue.finish(now, { outcome: "done" });
  await queue.hasten(tenant, 1);
  const job = only(await queue.claim());
  await queue.finish(job, { outcome: "again", afterMs: 3_600_000, counts: true });
  assert.deepEqual(await queue.claim(), []);
  await queue.enqueue(tenant, [1]);
  assert.deepEqual(await queue.claim(), [], "who enqueues once more does not hasten it");
  await queue.hasten(tenant, 1);
  await queue.finish(only(await queue.claim()), { outcome: "done" });
});

test("what has happened makes pauses shorter, but for that of a job whose call was not answered", async () => {
  const tenant = await server.createTenant();
  const subjects = (jobs: { subject: string }[]) => jobs.map(({ subject }) => subject).toSorted();
  await queue.enqueue(tenant, [1, 2, 3]);
  for (const job of await queue.claim()) {
    const called = new Map([
      ["1", { answered: false }],
      ["2", { answered: true }],
    ]).get(job.subject);
    await queue.finish(job, { outcome: "again", afterMs: 60_000, counts: false, ...called });
  }
  await database.write(tenant.id, [hastenAll(KIND)]);
  assert.deepEqual(subjects(await queue.claim()), ["2", "3"]);
  await database.write(tenant.id, [hasten(KIND, [1])]);
  const asked = only(await queue.claim());
  assert.equal(asked.subject, "1");
  await queue.finish(asked, { outcome: "again", afterMs: 60_000, counts: false });
  await database.write(tenant.id, [hastenAll(KIND)]);
  assert.deepEqual(subjects(await queue.claim()), ["1"]);
  await queue.empty();
});

test("an attempt counts or not, and the next one may be in another lane", async () => {
  const tenant = await server.createTenant();
  await queue.enqueue(tenant, [1]);
  await queue.finish(only(await queue.claim()), { outcome: "again", afterMs: 0, counts: true });
  const second = only(await queue.claim());
  assert.deepEqual([second.attempt, second.tries], ["2", 2]);
  await queue.finish(second, { outcome: "again", afterMs: 0, counts: false, lane: "meadow" });
  const lanes = await readLanes(tenant.id, database, [KIND], null);
  assert.deepEqual(
    lanes.map(({ lane, waiting }) => [lane, waiting]),
    [["meadow", 1]],
  );
  const third = only(await queue.claim());
  assert.deepEqual([third.attempt, third.tries], ["3", 2]);
  await queue.finish(third, { outcome: "done" });
});

test("a lane's limit holds over racing claims and over tenants, and kinds that a worker does not know stay", async () => {
  const tenants = [await server.createTenant(), await server.createTenant()];
  for (let round = 0; round < 10; round++) {
    for (const tenant of tenants) await queue.enqueue(tenant, [1, 2, 3, 4, 5, 6], { lane: `narrow ${round}` });
    assert.deepEqual(await queue.claim({ limits: { shear_sheep: 4 } }), []);
    const claims = await Promise.all(
      Array.from({ length: 8 }, async () => await queue.claim({ wanted: 3, limits: { [KIND]: 4 } })),
    );
    assert.equal(claims.flat().length, 4, `round ${round}`);
    for (const job of claims.flat()) await queue.finish(job, { outcome: "done" });
    const rest = await queue.claim();
    assert.equal(rest.length, 8);
    for (const job of rest) await queue.finish(job, { outcome: "done" });
  }
});

test("lanes in which other workers' kinds wait, however many, keep nobody's own from being claimed", async () => {
  const tenant = await server.createTenant();
  const lanes = "select n as subject, 'shears ' || n as lane from generate_series(1, $3::integer) n where $1 > 0";
  await database.write(tenant.id, [enqueueSelected("shear_sheep", { name: "shears", text: lanes }, [150])]);
  await queue.enqueue(tenant, [1], { lane: "wool" });
  assert.equal(only(await queue.claim()).kind, KIND);
  assert.equal((await queue.claim({ wanted: 200, wantedEach: 200, limits: { shear_sheep: 1 } })).length, 150);
  await queue.empty();
});

test("tenants are served in turns, however much one has queued and in however many lanes", async () => {
  const [large, small, other] = [await server.createTenant(), await server.createTenant(), await server.createTenant()];
  const subjects = "select n as subject, 'lane ' || n % 5 as lane from generate_series(1, $3::integer) n where $1 > 0";
  const many = enqueueSelected(KIND, { name: "sheep", text: subjects }, [20_000]);
  await database.write(large.id, [many]);
  await queue.enqueue(small, [1, 2], { lane: "lane of the small one" });
  await queue.enqueue(other, [1, 2], { lane: "lane of the other one" });
  const together = (await queue.claim({ wanted: 3 })).map(({ tenant }) => tenant);
  assert.deepEqual(together.toSorted(), [large.id, small.id, other.id].toSorted());
  await queue.enqueue(small, [3], { lane: "lane of the small one" });
  await queue.enqueue(other, [3], { lane: "lane of the other one" });
  const served: string[] = [];
  for (let turn = 0; turn < 9; turn++) served.push(only(await queue.claim({ wanted: 1 })).tenant);
  for (const three of [served.slice(0, 3), served.slice(3, 6)]) {
    assert.deepEqual(three.toSorted(), [large.id, small.id, other.id].toSorted());
  }
  assert.deepEqual(served.slice(6), [large.id, large.id, large.id]);
  await queue.enqueue(small, [4], { lane: "a new lane of the small one" });
  assert.equal(only(await queue.claim({ wanted: 1 })).tenant, small.id);
  await queue.empty();
});

test("the jobs of a suspended tenant wait until it is resumed; what runs may end", async () => {
  const [tenant, other] = [await server.createTenant(), await server.createTenant()];
  const suspended = async (isSuspended: boolean) => await setSuspended(database, tenant.slug, isSuspended);
  await queue.enqueue(tenant, [1, 2]);
  const running = only(await queue.claim({ wanted: 1 }));
  await suspended(true);
  await queue.enqueue(tenant, [3]);
  await queue.enqueue(other, [4]);
  assert.equal(only(await queue.claim()).tenant, other.id);
  assert.equal(await queue.finish(running, { outcome: "done" }), true);
  assert.deepEqual(await queue.claim(), []);
  await suspended(false);
  assert.deepEqual((await queue.claim()).map(({ subject }) => subject).toSorted(), ["2", "3"]);
  await queue.empty();
});

test("a worker holds no more of one tenant's jobs than it wishes, and one claim is shared out", async () => {
  const tenants = [await server.createTenant(), await server.createTenant()];
  for (const tenant of tenants)
    await queue.enqueue(
      tenant,
      Array.from({ length: 30 }, (_, index) => index + 1),
    );
  const claimed = await queue.claim({ worker: "w", wanted: 10, wantedEach: 6 });
  const shares = (jobs: { tenant: string }[]) =>
    tenants.map(({ id }) => jobs.filter(({ tenant }) => tenant === id).length);
  assert.deepEqual(shares(claimed), [5, 5]);
  assert.deepEqual(shares(await queue.claim({ worker: "w", wanted: 10, wantedEach: 6 })), [1, 1]);
  assert.deepEqual(shares(await queue.claim({ worker: "w", wanted: 10, wantedEach: 6 })), [0, 0]);
  assert.deepEqual(shares(await queue.claim({ worker: "v", wanted: 10, wantedEach: 6 })), [5, 5]);
  await queue.empty();
});

test("a job whose lease has run out goes to the next worker, which sees that; the first one's end changes nothing", async () => {
  const tenant = await server.createTenant();
  await queue.enqueue(tenant, [1]);
  const first = only(await queue.claim());
  await queue.expire(first);
  const second = only(await queue.claim());
  assert.deepEqual([second.id, second.attempt, second.tries, second.hasDied], [first.id, "2", 2, true]);
  for (const outcome of ["done", "failed"] as const) assert.equal(await queue.finish(first, { outcome }), false);
  assert.equal(await queue.finish(first, { outcome: "again", afterMs: 0, counts: true }), false);
  const record = {
    statement: { name: "mark", text: "update users set name = 'late' where tenant_id = $1" },
    parameters: [],
  };
  await tenant.createUser("Ana");
  await assert.rejects(database.write(tenant.id, [record, finishing(first, { outcome: "done" })]), isStaleAttempt);
  assert.deepEqual(await server.sql("select name from users where tenant_id = $1", [tenant.id]), [{ name: "Ana" }]);
  assert.deepEqual(await queue.jobs(tenant), [{ subject: 1, state: "running", tries: 2 }]);
  await database.write(tenant.id, [record, finishing(second, { outcome: "done" })]);
  assert.deepEqual(await server.sql("select name from users where tenant_id = $1", [tenant.id]), [{ name: "late" }]);
  assert.deepEqual(await queue.jobs(tenant), []);
  assert.equal(await queue.finish(second, { outcome: "done" }), false);
});

test("no worker claims a job that a transaction holds before its commit, though its lease has run out", async () => {
  const tenant = await server.createTenant();
  await queue.enqueue(tenant, [1]);
  const job = only(await queue.claim());
  await queue.expire(job);
  const { statement, parameters } = holding(job);
  await database.transaction(tenant.id, async (run) => {
    await run({ statement, parameters });
    assert.deepEqual(await queue.claim(), []);
  });
  const next = only(await queue.claim());
  assert.deepEqual([next.id, next.attempt], [job.id, "2"]);
  await assert.rejects(database.write(tenant.id, [holding(job)]), isStaleAttempt);
  await queue.finish(next, { outcome: "done" });
});

test("a worker keeps the leases of the jobs that it names, and of none that is somebody else's by now", async () => {
  const tenant = await server.createTenant();
  await queue.enqueue(tenant, [1, 2, 3]);
  const jobs = await queue.claim({ worker: "w" });
  const [lost, kept, forgotten] = jobs as [(typeof jobs)[0], (typeof jobs)[0], (typeof jobs)[0]];
  await queue.expire(lost);
  const taken = only(await queue.claim({ worker: "v" }));
  assert.equal(taken.id, lost.id);
  await queue.expire(kept);
  await queue.expire(forgotten);
  await queue.expire(taken);
  // The worker was paused, and is back before anybody has taken the second one.
  const ids = [lost.id, kept.id];
  const claimed = await queue.claim({ worker: "w", kept: ids });
  assert.deepEqual(
    new Map(claimed.map(({ id, hasDied }) => [id, hasDied])),
    new Map([
      [lost.id, true],
      [forgotten.id, true],
    ]),
  );
  assert.equal(await queue.finish(kept, { outcome: "done" }), true);
  assert.equal(await queue.finish(taken, { outcome: "done" }), false);
  await queue.empty();
});

test("five failures in a row close a lane of a tenant, then one job at a time probes it", async () => {
  const [tenant, other] = [await server.createTenant(), await server.createTenant()];
  const subjects = Array.from({ length: 20 }, (_, index) => index + 1);
  const limits = { [KIND]: 4 };
  const answer = async (jobs: Awaited<ReturnType<typeof queue.claim>>, answered: boolean) => {
    for (const job of jobs) await queue.finish(job, { outcome: "again", afterMs: 0, counts: true, answered });
  };
  const closedUntil = async () => (await readLanes(tenant.id, database, [KIND], null))[0]?.closedUntil ?? null;
  const waitUntilOpen = async () =>
    await server.sql("update lanes set closed_until = now() where tenant_id = $1", [tenant.id]);
  await queue.enqueue(tenant, subjects);

  await answer(await queue.claim({ limits }), false);
  await answer(await queue.claim({ limits, wanted: 1 }), true);
  await answer(await queue.claim({ limits }), false);
  const fifth = await queue.claim({ limits, wanted: 1 });
  assert.equal(fifth.length, 1, "four failures in a row close nothing");
  assert.equal(await closedUntil(), null);
  await answer(fifth, false);
  assert.deepEqual(await queue.claim({ limits }), []);
  assert.notEqual(await closedUntil(), null);

  await queue.enqueue(other, [1]);
  assert.equal(only(await queue.claim({ limits })).tenant, other.id, "the other tenant's lane of that name is open");
  await queue.empty(other);

  await waitUntilOpen();
  await answer(await queue.claim({ limits }), false);
  assert.deepEqual(await queue.claim({ limits }), [], "a probe that fails closes it again");
  await waitUntilOpen();
  const probe = await queue.claim({ limits });
  assert.equal(probe.length, 1);
  assert.deepEqual(await queue.claim({ limits }), [], "one at a time");
  await answer(probe, true);
  assert.equal((await queue.claim({ limits })).length, 4);
  await queue.empty();
});

test("a tenant sees its lanes at a glance, and nobody else's", async () => {
  const [tenant, other] = [await server.createTenant(), await server.createTenant()];
  await queue.enqueue(tenant, [1, 2, 3]);
  await queue.enqueue(tenant, [4], { lane: "meadow" });
  await queue.enqueue(other, [1]);
  const jobs = await queue.claim({ wanted: 100 });
  const mine = jobs.filter((job) => job.tenant === tenant.id);
  const [failed, again] = mine.filter(({ subject }) => subject !== "4") as [(typeof jobs)[0], (typeof jobs)[0]];
  await queue.finish(failed, { outcome: "failed" });
  await queue.finish(again, { outcome: "again", afterMs: 60_000, counts: true });
  await server.sql("update jobs set enqueued_at = now() - interval '1 hour' where tenant_id = $1", [tenant.id]);
  const lanes = await readLanes(tenant.id, database, [KIND], null);
  const ages = lanes.map(({ oldestPendingSeconds }) => Math.floor((oldestPendingSeconds ?? 0) / 100));
  assert.deepEqual(ages, [36, 36]);
  assert.deepEqual(
    lanes.map(({ lane, waiting, running, failed, closedUntil }) => [lane, waiting, running, failed, closedUntil]),
    [
      ["meadow", 0, 1, 0, null],
      ["pasture", 1, 1, 1, null],
    ],
  );
  assert.deepEqual(await readLanes(tenant.id, database, ["shear_sheep"], null), []);
  await queue.empty();
});
