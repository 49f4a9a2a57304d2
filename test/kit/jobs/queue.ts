import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { claimJobs, enqueue, finishJob, type Claim, type Claimed } from "../../../src/kit/jobs/job-queries.ts";
import type { Outcome } from "../../../src/kit/jobs/job.ts";
import type { TestServer, TestTenant } from "../../harness.ts";

/** The queue of a server without a worker: tests claim and end jobs themselves. */
export type Queue = {
  enqueue(tenant: TestTenant, subjects: number[], options?: { lane?: string; afterMs?: number }): Promise<void>;
  /** Each claim is by a worker of its own, unless one is named. */
  claim(wish?: Partial<Claim>): Promise<Claimed[]>;
  finish(job: Claimed, outcome: Outcome): Promise<boolean>;
  /** Has the time come that a job waits for. */
  hasten(tenant: { id: string }, subject: number | string, kind?: string): Promise<void>;
  /** Has the leases of a job run out. */
  expire(job: Claimed): Promise<void>;
  /** Forgets every job, or those of a tenant. */
  empty(tenant?: { id: string }): Promise<void>;
  /** Subject and state of every job of a tenant. */
  jobs(tenant: TestTenant): Promise<Record<string, unknown>[]>;
};

export const KIND = "count_sheep";

/** No tenant in particular. */
const ALL = { id: "" };

/** The one that there is. */
export function only<T>(all: T[]): T {
  assert.equal(all.length, 1);
  return all[0] as T;
}

export function queueOf(server: TestServer): Queue {
  const { database } = server.deps;
  return {
    async enqueue({ id }, subjects, { lane = "pasture", afterMs = 0 } = {}) {
      await database.write(id, [enqueue(KIND, subjects, lane, afterMs)]);
    },
    async claim(wish = {}) {
      const usual = { worker: randomUUID(), wanted: 100, wantedEach: 100, leaseMs: 30_000, limits: { [KIND]: 100 } };
      return await claimJobs(database, { ...usual, kept: [], ...wish });
    },
    finish: async (job, outcome) => await finishJob(job.tenant, database, job, outcome),
    async hasten({ id }, subject, kind = KIND) {
      await server.sql(
        "update jobs set run_at = now() where tenant_id = $1 and kind = $2 and subject = $3 and state = 'waiting' and run_at > now()",
        [id, kind, subject],
      );
    },
    async expire({ tenant, id }) {
      await server.sql("update jobs set lease_until = now() - interval '1 second' where tenant_id = $1 and id = $2", [
        tenant,
        id,
      ]);
    },
    async empty({ id } = ALL) {
      for (const table of ["jobs", "lane_news", "lanes"]) {
        await server.sql(`delete from ${table} where $1 in ('', tenant_id::text)`, [id]);
      }
    },
    jobs: async ({ id }) =>
      await server.sql("select subject::int, state, tries from jobs where tenant_id = $1 order by subject", [id]),
  };
}
