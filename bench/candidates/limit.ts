import type pg from "pg";
import type { LoadJob, LoadRequest, LoadResult } from "../load/load-job.ts";
import { summarize } from "../load/percentiles.ts";
import { connectMany, readTemplates, replayUnit, valuesOf } from "./replay-statements.ts";
import { templateKey } from "./template-key.ts";

/**
 * The limit: the product's statements without any server in between, each connection sending its next transaction when
 * the one before is answered. A process of its own that accepts the load generator's jobs and answers in the same form.
 * argv: connection (JSON), file of templates.
 */
const [connection = "", file = ""] = process.argv.slice(2);
const templates = readTemplates(file);
const clients: pg.Client[] = [];

process.on("message", (job: LoadJob) => {
  void run(job).then((result) => process.send?.(result));
});
process.on("disconnect", () => process.exit());

async function run({ token, requests, connections, seconds, once }: LoadJob): Promise<LoadResult> {
  clients.push(...(await connectMany(connection, Math.max(0, connections - clients.length))));
  const share = Math.floor(requests.length / connections);
  const latencies: number[] = [];
  const began = performance.now();
  const deadline = began + 1_000 * seconds;
  let failed = 0;

  async function work(client: pg.Client, own: LoadRequest[]): Promise<void> {
    const count = once ? own.length : Infinity;
    for (let next = 0; next < count && performance.now() < deadline; next++) {
      const request = own[next % own.length] as LoadRequest;
      const sent = performance.now();
      const values = valuesOf(request.path, request.body ?? "");
      try {
        const units = templates[templateKey(token, request)]?.units ?? [];
        for (const unit of units) await replayUnit(client, unit, values);
        if (units.length === 0) failed++;
      } catch {
        failed++;
      }
      latencies.push(performance.now() - sent);
    }
  }
  await Promise.all(
    clients
      .slice(0, connections)
      .map((client, index) =>
        work(client, share === 0 ? requests : requests.slice(index * share, (index + 1) * share)),
      ),
  );
  return summarize(latencies, performance.now() - began, failed, 0);
}
