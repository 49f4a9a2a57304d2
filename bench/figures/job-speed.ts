import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type pg from "pg";
import { claimJobs, enqueue, enqueueSelected, finishJob, type Claimed } from "../../src/kit/jobs/job-queries.ts";
import { useCluster } from "../../src/platform/cluster/embedded-postgres.ts";
import { createLogger } from "../../src/platform/logger.ts";
import type { Connection, Database } from "../../src/platform/postgres/database.ts";
import { migrate } from "../../src/platform/postgres/migrations/migrate.ts";
import { openDatabase } from "../../src/platform/postgres/open-database.ts";
import { openRequestRole } from "../../src/platform/postgres/request-role.ts";
import { asTenantId, type TenantId } from "../../src/platform/postgres/tenant-id.ts";
import { percentiles } from "../load/percentiles.ts";
import { endWithUs, stopProcess } from "../load/processes.ts";
import { connectAsOwner } from "../tenants/seed.ts";
import type { Figure } from "./figure.ts";

const KIND = "no_op";
const TENANTS = 12;
const LANES_EACH = 4;
const POLL_MS = 2;
const LIMITS = { [KIND]: 1_000 };

export type JobSizes = { jobsEach: number; claims: number; seconds: number; probes: number };

/** The size of the queue that goals are set for, and one that shows that everything runs. */
export const FULL_QUEUE: JobSizes = { jobsEach: 100_000, claims: 200, seconds: 10, probes: 100 };
export const QUICK_QUEUE: JobSizes = { jobsEach: 300, claims: 3, seconds: 0.2, probes: 2 };

/** A dozen tenants with a long queue each, and one with a single job at a time; on a database of their own. */
export async function jobFigures(
  dataDir: string,
  { jobsEach, claims, seconds, probes }: JobSizes,
  progress: (message: string) => void,
): Promise<Figure[]> {
  const cluster = await useCluster(dataDir);
  const { connection } = cluster;
  await migrate(connection);
  const owner = await connectAsOwner(connection);
  const requests = await openRequestRole(connection);
  const database = openDatabase({ connection, requests, logger: createLogger("warn") });
  const workers: ChildProcess[] = [];
  try {
    const [smallest, ...others] = await createTenants(owner);
    if (smallest === undefined) throw new Error("there are no tenants");
    const enqueued: number[] = [];
    for (const tenant of others) {
      progress(`enqueueing ${jobsEach.toLocaleString("en")} jobs`);
      enqueued.push(await timed(async () => await enqueueMany(tenant, database, jobsEach)));
    }
    await owner.query("vacuum analyze jobs");
    await owner.query("checkpoint");
    const waiting = await countJobs(owner);
    progress("claiming");
    const one = await timeClaims(database, claims, 1);
    const hundred = await timeClaims(database, claims, 100);

    progress("two workers");
    for (let count = 0; count < 2; count++) workers.push(await startNoOpWorker(connection));
    const before = await countJobs(owner);
    const began = performance.now();
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    const done = before - (await countJobs(owner));
    const took = (performance.now() - began) / 1_000;
    progress("the smallest tenant");
    const through: number[] = [];
    for (let probe = 1; probe <= probes; probe++) through.push(await timeOne(smallest, database, owner, probe));
    const all = waiting.toLocaleString("en");
    return [
      {
        name: `enqueueing ${jobsEach.toLocaleString("en")} jobs in one statement`,
        value: percentiles(enqueued).p50 / 1_000,
        unit: "s",
      },
      { name: `claim of a job, ${all} waiting`, value: one.p50, unit: "ms", atMost: 5 },
      { name: "its p99", value: one.p99, unit: "ms" },
      { name: `claim of 100 jobs of ${TENANTS} tenants, ${all} waiting`, value: hundred.p50, unit: "ms" },
      { name: "jobs a second that do nothing, two workers", value: done / took, atLeast: 1_000 },
      {
        name: "the smallest tenant's next job beside them: until it has ended",
        value: percentiles(through).p50,
        unit: "ms",
      },
      { name: "its p99", value: percentiles(through).p99, unit: "ms", atMost: 1_000 },
    ];
  } finally {
    for (const worker of workers) await stopProcess(worker);
    await database.close();
    await owner.end();
    await cluster.release();
  }
}

async function createTenants(owner: pg.Client): Promise<TenantId[]> {
  const { rows } = await owner.query(
    "insert into tenants (slug, name) select 'jobs-' || n, 'Jobs' from generate_series(0, $1) n returning id",
    [TENANTS],
  );
  return rows.map(({ id }) => asTenantId(String(id)));
}

async function enqueueMany(tenant: TenantId, database: Database, count: number): Promise<void> {
  const text = `select n as subject, $1::bigint || ' calls ' || n % ${LANES_EACH} as lane from generate_series(1, $3::integer) n`;
  await database.write(tenant, [enqueueSelected(KIND, { name: "bench", text }, [count])]);
}

async function timeClaims(database: Database, claims: number, wanted: number): Promise<{ p50: number; p99: number }> {
  const times: number[] = [];
  const wish = { worker: "bench", wanted, wantedEach: 1_000, leaseMs: 30_000, limits: LIMITS, kept: [] };
  for (let claim = 0; claim < claims; claim++) {
    let jobs: Claimed[] = [];
    times.push(await timed(async () => (jobs = await claimJobs(database, wish))));
    if (jobs.length !== wanted) throw new Error(`${jobs.length} of ${wanted} jobs were claimed`);
    await Promise.all(jobs.map(async (job) => await finishJob(job.tenant, database, job, { outcome: "done" })));
  }
  return percentiles(times);
}

async function timeOne(tenant: TenantId, database: Database, owner: pg.Client, subject: number): Promise<number> {
  return await timed(async () => {
    await database.write(tenant, [enqueue(KIND, [subject], "calls of the smallest")]);
    for (;;) {
      const { rowCount } = await owner.query("select from jobs where tenant_id = $1", [tenant]);
      if (rowCount === 0) return;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  });
}

async function countJobs(owner: pg.Client): Promise<number> {
  const { rows } = await owner.query("select count(*)::int as n from jobs");
  return Number(rows[0]?.n);
}

async function startNoOpWorker(connection: Connection): Promise<ChildProcess> {
  const worker = fork(path.join(import.meta.dirname, "no-op-worker.ts"), [JSON.stringify(connection)], {
    detached: true,
  });
  endWithUs(worker);
  await once(worker, "message");
  return worker;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
