import assert from "node:assert/strict";
import { mock, test } from "node:test";
import pg from "pg";
import type { JobKind } from "../../../src/kit/jobs/job.ts";
import { startWorker } from "../../../src/kit/jobs/run-jobs.ts";
import { steady } from "../../../src/platform/clock.ts";
import { startServer } from "../../harness.ts";
import { KIND, queueOf } from "./queue.ts";

test("a worker whose clock is set back gives up the jobs whose leases it cannot renew", async () => {
  const server = await startServer();
  const queue = queueOf(server);
  const tenant = await server.createTenant();
  const begun = Promise.withResolvers<void>();
  const lost = Promise.withResolvers<boolean>();
  const waiting: JobKind = {
    limit: () => 1,
    async run(_deps, job) {
      begun.resolve();
      await new Promise((resolve) => job.signal.addEventListener("abort", resolve));
      lost.resolve(job.leasedUntil() <= steady());
      return { outcome: "done" };
    },
  };
  await queue.enqueue(tenant, [1]);
  const stop = new AbortController();
  const worker = startWorker(server.deps, { [KIND]: waiting }, { stop: stop.signal, leaseMs: 600, pollMs: 50 });
  await begun.promise;
  const claims = new pg.Client(server.connection);
  await claims.connect();
  try {
    // claim_jobs() waits for it, and so does every renewal.
    await claims.query("select pg_advisory_lock(7261961)");
    const { now } = Date;
    mock.method(Date, "now", () => now() - 3_600_000);
    assert.equal(await lost.promise, true);
  } finally {
    mock.restoreAll();
    await claims.end();
    stop.abort();
    await worker.ended;
  }
});
