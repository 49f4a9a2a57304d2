import { forgetDeliveries } from "../../../src/exchange/webhooks/forget-deliveries.ts";
import { attemptJob } from "../../../src/kit/jobs/attempt-job.ts";
import { finishing, holding } from "../../../src/kit/jobs/job-queries.ts";
import type { Kinds } from "../../../src/kit/jobs/job.ts";
import { webhookKinds } from "../../../src/worker.ts";
import type { TestServer, TestTenant } from "../../harness.ts";
import { queueOf } from "../../kit/jobs/queue.ts";

/** A worker that runs when a test calls it. */
export type Runs = {
  /** Runs the due jobs of the webhooks of a tenant. Returns their number. */
  run(tenant: TestTenant): Promise<number>;
  /** The same, after the pauses of all waiting deliveries are over. */
  runAfterPauses(tenant: TestTenant): Promise<number>;
  /** Removes deliveries that are too old. */
  forget(tenant: TestTenant): Promise<void>;
};

const forgetKinds: Kinds = { "forget-deliveries": { limit: () => 1, run: forgetDeliveries } };

export function runsOf(server: TestServer): Runs {
  const queue = queueOf(server);
  async function runJobs(tenant: TestTenant, kinds: Kinds): Promise<number> {
    await server.sql("update jobs set run_at = now() where tenant_id = $1 and kind = any($2)", [
      tenant.id,
      Object.keys(kinds),
    ]);
    // What other tests have left is not due.
    await server.sql("update jobs set run_at = now() + interval '1 hour' where tenant_id <> $1", [tenant.id]);
    await queue.claim({ limits: {} });
    await server.sql("update lanes set closed_until = null, failures = 0 where tenant_id = $1", [tenant.id]);
    const claimed = await queue.claim({ limits: Object.fromEntries(Object.keys(kinds).map((kind) => [kind, 1])) });
    const never = new AbortController().signal;
    await Promise.all(
      claimed.map(async (job) => {
        const [hold, finish] = [holding.bind(null, job), finishing.bind(null, job)];
        await attemptJob(server.deps, kinds, {
          ...job,
          signal: never,
          stop: never,
          leasedUntil: () => Infinity,
          hold,
          finish,
        });
      }),
    );
    return claimed.length;
  }
  const run = async (tenant: TestTenant) => await runJobs(tenant, webhookKinds);
  return {
    run,
    async runAfterPauses(tenant) {
      await server.sql("update webhook_deliveries set next_at = now() where tenant_id = $1 and next_at is not null", [
        tenant.id,
      ]);
      return await run(tenant);
    },
    async forget(tenant) {
      await runJobs(tenant, forgetKinds);
    },
  };
}
