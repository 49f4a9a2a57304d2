import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { JOBS_WAIT } from "../../../src/kit/jobs/job-queries.ts";
import { startServer } from "../../harness.ts";
import { databaseUrl, poll, start, type Program } from "../../program.ts";
import { queueOf } from "./queue.ts";

/** Workers that are processes of their own, as they die and stall. */
const PROGRAM = fileURLToPath(new URL("worker-program.ts", import.meta.url));
const server = await startServer();
const queue = queueOf(server);
await server.sql(
  `create table attempts (tenant_id bigint, subject bigint, attempt bigint, has_died boolean, pid integer, event text);
  grant insert on attempts to liaison_app`,
);

test("the jobs of a worker that is killed go on, and the worker that claims them sees that", async () => {
  const tenant = await server.createTenant();
  const killed = await startWorkerProgram({ HOLD: "on" });
  await queue.enqueue(tenant, [1, 2, 3]);
  await poll("the beginning of the jobs", async () => (await attempts(tenant.id, "began")).length === 3);
  killed.process.kill("SIGKILL");
  const successor = await startWorkerProgram();
  await poll("the end of the jobs", async () => (await attempts(tenant.id, "ended")).length === 3);
  assert.deepEqual(
    await attempts(tenant.id, "ended"),
    [1, 2, 3].map((subject) => ({ subject, attempt: 2, has_died: true, pid: successor.process.pid })),
  );
  assert.deepEqual(await queue.jobs(tenant), []);
  await stopped(successor);
});

test("a worker that is paused for longer than its lease changes nothing when it is back", async () => {
  const tenant = await server.createTenant();
  const paused = await startWorkerProgram({ HOLD: "on" });
  await queue.enqueue(tenant, [1]);
  await poll("the beginning of the job", async () => (await attempts(tenant.id, "began")).length === 1);
  paused.process.kill("SIGSTOP");
  const successor = await startWorkerProgram();
  await poll("the end of the job", async () => (await queue.jobs(tenant)).length === 0);
  await queue.enqueue(tenant, [2]);
  await poll("the end of the next job", async () => (await queue.jobs(tenant)).length === 0);
  paused.process.kill("SIGCONT");
  paused.process.kill("SIGUSR2");
  await poll("its complaint", () => paused.complaints().includes("came too late"));
  assert.deepEqual(
    await attempts(tenant.id, "ended"),
    [1, 2].map((subject) => ({
      subject,
      attempt: subject === 1 ? 2 : 1,
      has_died: subject === 1,
      pid: successor.process.pid,
    })),
  );
  await stopped(paused);
  await stopped(successor);
});

test("the commit of a job that is due notifies the workers, and one of a later job does not", async () => {
  const tenant = await server.createTenant();
  const listener = new pg.Client(server.connection);
  await listener.connect();
  const heard: string[] = [];
  listener.on("notification", ({ channel }) => heard.push(channel));
  await listener.query(`listen ${JOBS_WAIT}; listen marks`);
  await queue.enqueue(tenant, [1], { afterMs: 600_000 });
  await server.sql("notify marks");
  await queue.enqueue(tenant, [2]);
  await poll("both notifications", () => heard.length >= 2);
  assert.deepEqual(heard, ["marks", JOBS_WAIT]);
  await listener.end();
  await queue.empty();
});

test("a worker that sleeps is woken by the commit", async () => {
  const tenant = await server.createTenant();
  await server.sql("select");
  const others = (await server.sql("select pid from pg_stat_activity")).map(({ pid }) => pid);
  const worker = await startWorkerProgram({ LEASE_MS: "600000" });
  await queue.enqueue(tenant, [1]);
  await poll("the end of the first job", async () => (await attempts(tenant.id, "ended")).length === 1);
  // Longer than any pause of a worker that has found a job: nothing but a notification wakes it now.
  await poll("its sleep", async () => {
    const [row] = await server.sql(
      `select count(*)::int as all, count(*) filter (where state = 'idle' and state_change < now() - interval '1 second')::int
        as asleep from pg_stat_activity where datname = current_database() and pid <> all($1) and pid <> pg_backend_pid()`,
      [others],
    );
    return Number(row?.asleep) > 0 && row?.asleep === row?.all;
  });
  await queue.enqueue(tenant, [2]);
  await poll("the end of the second job", async () => (await attempts(tenant.id, "ended")).length === 2);
  await stopped(worker);
});

test("a worker at SIGTERM claims no more jobs, and lets its own end", async () => {
  const tenant = await server.createTenant();
  const worker = await startWorkerProgram({ HOLD: "on" });
  // One lane takes four at once.
  await queue.enqueue(tenant, [1, 2, 3, 4, 5]);
  await poll("the beginning of the jobs", async () => (await attempts(tenant.id, "began")).length === 4);
  worker.process.kill("SIGTERM");
  await poll("its stopping", () => worker.output().includes("stopping"));
  const running = [1, 2, 3, 4].map((subject) => ({ subject, state: "running", tries: 1 }));
  assert.deepEqual(await queue.jobs(tenant), [...running, { subject: 5, state: "waiting", tries: 0 }]);
  worker.process.kill("SIGUSR2");
  assert.equal(await worker.ended, 0, worker.complaints());
  assert.equal((await attempts(tenant.id, "ended")).length, 4);
  assert.deepEqual(await queue.jobs(tenant), [{ subject: 5, state: "waiting", tries: 0 }]);
  assert.equal(worker.complaints(), "");
  await queue.empty();
});

async function startWorkerProgram(environment: Record<string, string> = {}): Promise<Program> {
  const worker = start(
    [],
    { DATABASE_URL: databaseUrl(server.connection), LEASE_MS: "1500", ...environment },
    "",
    [],
    PROGRAM,
  );
  await poll("the worker's start", () => worker.output().includes("ready"));
  return worker;
}

async function stopped(worker: Program): Promise<void> {
  worker.process.kill("SIGTERM");
  assert.equal(await worker.ended, 0, worker.complaints());
}

async function attempts(tenant: string, event: string): Promise<Record<string, unknown>[]> {
  return await server.sql(
    `select subject::int, attempt::int, has_died, pid from attempts where tenant_id = $1 and event = $2 order by subject, attempt`,
    [tenant, event],
  );
}
