import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Place } from "../candidates/candidates.ts";
import { freePort, startProduct } from "../candidates/servers.ts";
import { stopProcess } from "../load/processes.ts";
import { show } from "../load/scenarios.ts";
import { startGenerator } from "../load/worker.ts";
import { ROOT } from "../tenants/data-directory.ts";
import type { SeededTenant } from "../tenants/seed.ts";
import type { Figure } from "./figure.ts";
import { CONNECTIONS } from "./measure-scenario.ts";

const SECONDS = 4;
/** Microseconds between two looks at the stack: of a hundredth of the time there are some 150 then. */
const SAMPLE_US = 250;
const AUTHENTICATION = /\/src\/api-keys\//;
const METRICS =
  /\/src\/(?:doors\/(?:observing|request-metrics|metrics)\.ts|platform\/(?:metrics\/|postgres\/statement-tallies)|cli\/processes\/metrics-port)/;
/** A hook that calls back has all the rest of the request below it. */
const NEXT_HOOK = /\/fastify\/lib\/hooks\.js$/;
const SAMPLING = new Set(["(idle)", "(root)"]);

type Node = { id: number; callFrame: { functionName: string; url: string }; children?: number[] };
type Profile = { nodes: Node[]; samples: number[]; timeDeltas: number[] };

/**
 * How much of the server's processor time of showing a company is authentication with a cached key; and how much is
 * metrics, whose scrapes come four times as often as they usually do.
 */
export async function sharesOfShow(place: Place, tenant: SeededTenant): Promise<Figure[]> {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "liaison-bench-"));
  const nodeFlags = ["--cpu-prof", `--cpu-prof-dir=${directory}`, `--cpu-prof-interval=${SAMPLE_US}`];
  const metricsPort = await freePort();
  const environment = { LIAISON_METRICS_PORT: String(metricsPort) };
  const server = await startProduct("product, profiled", ROOT, place.dataDir, { nodeFlags, environment });
  const generator = startGenerator();
  const requests = show.requests(tenant, 0, SECONDS);
  await generator.run({
    url: server.url,
    token: tenant.token,
    requests,
    connections: CONNECTIONS,
    seconds: SECONDS,
    once: false,
  });
  await generator.stop();
  const scrape = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
  const metrics = await scrape.text();
  await stopProcess(server.process);
  const [file] = fs.readdirSync(directory);
  const profile = JSON.parse(fs.readFileSync(path.join(directory, file ?? ""), "utf8")) as Profile;
  fs.rmSync(directory, { recursive: true });
  if (!metrics.includes("liaison_requests_total{")) throw new Error("the metrics do not count the requests");
  const figure = (what: string, files: RegExp, atMost: number): Figure => {
    const value = 100 * shareBelow(profile, ({ url }) => files.test(url));
    return { name: `${what} share of the server's CPU in show`, value, unit: "%", atMost };
  };
  return [figure("authentication's", AUTHENTICATION, 10), figure("metrics'", METRICS, 1)];
}

/**
 * The share of the time spent in or below the functions that are meant, as far as these do not go on with the request.
 */
function shareBelow({ nodes, samples, timeDeltas }: Profile, isMeant: (frame: Node["callFrame"]) => boolean): number {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const meant = new Set<number>();
  const visit = (node: Node, inside: boolean) => {
    const isInside = !NEXT_HOOK.test(node.callFrame.url) && (inside || isMeant(node.callFrame));
    if (isInside) meant.add(node.id);
    for (const child of node.children ?? []) visit(byId.get(child) as Node, isInside);
  };
  visit(nodes[0] as Node, false);
  let [all, within] = [0, 0];
  for (const [index, id] of samples.entries()) {
    if (SAMPLING.has(byId.get(id)?.callFrame.functionName ?? "")) continue;
    all += timeDeltas[index] ?? 0;
    if (meant.has(id)) within += timeDeltas[index] ?? 0;
  }
  return within / all;
}
