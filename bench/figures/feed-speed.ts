import path from "node:path";
import type { Candidate } from "../candidates/candidates.ts";
import { openPlace } from "../candidates/seeded-place.ts";
import { startProduct } from "../candidates/servers.ts";
import { median, percentiles } from "../load/percentiles.ts";
import { stopProcess } from "../load/processes.ts";
import { show, update } from "../load/scenarios.ts";
import { startGenerator, startWorker } from "../load/worker.ts";
import type { Options } from "../options.ts";
import { ROOT } from "../tenants/data-directory.ts";
import type { SeededTenant } from "../tenants/seed.ts";
import { readerOf, type Reader } from "./feed-reader.ts";
import type { Figure } from "./figure.ts";
import type { FollowersJob } from "./followers.ts";
import { measure } from "./measure-scenario.ts";

export type FeedSizes = { companies: number; probes: number; seconds: number; rounds: number };

/** Companies with their contacts and invoices that are 105,000 changes; and what shows that everything runs. */
export const FULL_FEED: FeedSizes = { companies: 30_000, probes: 300, seconds: 3, rounds: 5 };
export const QUICK_FEED: FeedSizes = { companies: 100, probes: 3, seconds: 0.05, rounds: 1 };

/** The feed of one tenant: read from its beginning, followed while little is written, and while much is. */
export async function feedFigures(
  dataDir: string,
  options: Options,
  { companies, probes, seconds, rounds }: FeedSizes,
  progress: (message: string) => void,
): Promise<Figure[]> {
  const { place, close } = await openPlace(dataDir, { ...options, sizes: [companies], smallTenants: 0 }, progress);
  const generator = startGenerator();
  const followersProcess = startWorker<FollowersJob, number>(path.join(import.meta.dirname, "followers.ts"));
  const server = await startProduct("product", ROOT, dataDir);
  const product: Candidate = { ...server, name: "product", generator, place, stop: async () => {} };
  const tenant = place.tenants.get(companies) as SeededTenant;
  const read = readerOf(server.url, tenant.token);
  try {
    progress("reading from the beginning");
    const began = performance.now();
    const all = await readAll(read);
    let { next } = all;
    const took = (performance.now() - began) / 1_000;
    progress("hearing of one change after the other");
    const heard = await timeToHear(product, tenant, read, next, probes);
    const figures: Figure[] = [
      { name: `reading ${all.count.toLocaleString("en")} changes, 1,000 a page`, value: took, unit: "s", atMost: 10 },
      { name: "a change is heard after its answer", value: heard.p50, unit: "ms" },
      { name: "its p99", value: heard.p99, unit: "ms", atMost: 100 },
    ];
    for (const [followers, scenario, atLeast] of [
      [50, update, 0.9],
      [100, show, 0.5],
    ] as const) {
      const [ratios, cpu, heard]: [number[], number[], number[]] = [[], [], []];
      for (let round = 0; round <= rounds; round++) {
        progress(`${scenario.name} beside ${followers} followers, round ${round} of ${rounds}`);
        const alone = await measure(product, scenario, tenant, seconds);
        next = (await readAll(read, next)).next;
        const job = { url: server.url, token: tenant.token, after: next, count: followers, seconds };
        const [beside, told] = await Promise.all([
          measure(product, scenario, tenant, seconds),
          followersProcess.run(job),
        ]);
        // The first round warms up.
        if (round === 0) continue;
        ratios.push(beside.requestsPerSecond / alone.requestsPerSecond);
        cpu.push((alone.serverCpu + alone.databaseCpu) / (beside.serverCpu + beside.databaseCpu));
        heard.push(told / followers / seconds);
      }
      const name = `throughput of ${scenario.name} beside ${followers} followers of the tenant / alone`;
      figures.push({ name, value: median(ratios), atLeast, byCpu: median(cpu) });
      if (scenario === update) figures.push({ name: "changes that each heard a second", value: median(heard) });
    }
    return figures;
  } finally {
    await followersProcess.stop();
    await generator.stop();
    await stopProcess(server.process);
    await close();
  }
}

async function readAll(read: Reader, after = ""): Promise<{ count: number; next: string }> {
  for (let [count, next] = [0, after]; ;) {
    const page = await read({ after: next, limit: "1000" });
    count += page.data.length;
    next = page.next;
    if (!page.more) return { count, next };
  }
}

/** The time between a write's answer and a follower's, one after the other. */
async function timeToHear(
  { url }: Candidate,
  tenant: SeededTenant,
  read: Reader,
  after: string,
  probes: number,
): Promise<{ p50: number; p99: number }> {
  const times: number[] = [];
  for (let [probe, next] = [0, after]; probe < probes; probe++) {
    const waiting = read({ after: next, wait: "30" });
    // As long as its request is on its way there is nobody to hear.
    await new Promise((resolve) => setTimeout(resolve, 50 + Math.random() * 100));
    await fetch(`${url}/api/v1/companies/${tenant.firstCompany + probe}`, {
      method: "PATCH",
      headers: { authorization: `Bearer ${tenant.token}` },
      body: JSON.stringify({ notes: `Probe ${probe} of ${after}` }),
    });
    const written = performance.now();
    next = (await waiting).next;
    times.push(performance.now() - written);
  }
  return percentiles(times);
}
