import path from "node:path";
import type pg from "pg";
import { SECRET_COLUMN } from "../../src/people/single-sign-on/single-sign-on.ts";
import { openKeyring } from "../../src/platform/encryption/key-file.ts";
import type { Keyring } from "../../src/platform/encryption/keyring.ts";
import { startProduct } from "../candidates/servers.ts";
import { percentiles } from "../load/percentiles.ts";
import { stopProcess } from "../load/processes.ts";
import { startWorker, type Worker } from "../load/worker.ts";
import { ROOT } from "../tenants/data-directory.ts";
import { connectAsOwner, seed, type SeededTenant } from "../tenants/seed.ts";
import type { StrangersJob, StrangersResult } from "./door-strangers.ts";
import type { Figure } from "./figure.ts";
import { beginSession } from "./page-time.ts";

export type DoorSizes = { companies: number; requests: number; connections: number; rounds: number };

/** Those that a goal is set for, and what shows that everything runs. */
export const FULL_DOORS: DoorSizes = { companies: 1_000, requests: 10_000, connections: 100, rounds: 2 };
export const QUICK_DOORS: DoorSizes = { companies: 20, requests: 70, connections: 7, rounds: 1 };

/** Passkeys need a name, which the port of the server does not matter to. */
const PUBLIC_URL = "http://localhost:3000";
/** Between two pages of the member. */
const PAUSE_MS = 10;
const WARM_UP_MS = 1_000;
const WARM_UP_REQUESTS = 70;

type Place = { url: string; cookie: string; tenant: SeededTenant; strangers: Worker<StrangersJob, StrangersResult> };

/** How long a member's pages take alone, and while strangers send requests to the doors, by turns. */
export async function doorFigures(
  dataDir: string,
  { companies, requests, connections, rounds }: DoorSizes,
  progress: (message: string) => void,
): Promise<Figure[]> {
  const { cluster, seeded } = await seed(dataDir, [{ slug: "doors", companies }], progress);
  const tenant = seeded.get("doors") as SeededTenant;
  const owner = await connectAsOwner(cluster.connection);
  await setUpSingleSignOn(owner, await openKeyring(cluster.connection, dataDir, null, () => {}), tenant);
  const server = await startProduct("product", ROOT, dataDir, { environment });
  const strangers: Place["strangers"] = startWorker(path.join(import.meta.dirname, "door-strangers.ts"));
  const cookie = `liaison=${await beginSession(owner, tenant)}`;
  const place = { url: server.url, cookie, tenant, strangers };
  const figures: Figure[] = [];
  try {
    await strangers.run({
      url: server.url,
      workspace: tenant.slug,
      requests: WARM_UP_REQUESTS,
      connections: 7,
      networks: 1,
    });
    await open(place, AbortSignal.timeout(WARM_UP_MS));
    for (const { name, networks, atMost } of [
      { name: "strangers of one network", networks: 1, atMost: 5 },
      // A request waits behind those of its own holder, and every network is one. So this has no goal.
      { name: "strangers of as many networks", networks: requests, atMost: undefined },
    ]) {
      const seconds: number[] = [];
      const [alone, beside]: [number[], number[]] = [[], []];
      for (let round = 1; round <= rounds; round++) {
        progress(`${name}, round ${round}`);
        const job = { url: server.url, workspace: tenant.slug, requests, connections, networks };
        const opened = await watch(place, job, owner);
        seconds.push(opened.seconds);
        beside.push(...opened.beside);
        alone.push(...opened.alone);
      }
      const [quiet, busy] = [percentiles(alone), percentiles(beside)];
      const rate = (rounds * requests) / seconds.reduce((sum, each) => sum + each, 0);
      figures.push(
        { name: `${name}: requests to the doors a second`, value: rate },
        { name: "p50 of a member's page alone", value: quiet.p50, unit: "ms" },
        { name: "its p99", value: quiet.p99, unit: "ms" },
        { name: `p50 of it beside ${name}`, value: busy.p50, unit: "ms" },
        { name: "its p99 then", value: busy.p99, unit: "ms" },
        {
          name: `p99 of a member's page beside ${name} / alone`,
          value: busy.p99 / quiet.p99,
          ...(atMost !== undefined && { atMost }),
        },
      );
    }
  } finally {
    await stopProcess(server.process);
    await strangers.stop();
    await owner.end();
    await cluster.release();
  }
  return figures;
}

/** The pages of the member while strangers send their requests, and for as long afterwards. */
async function watch(
  place: Place,
  job: StrangersJob,
  owner: pg.Client,
): Promise<{ beside: number[]; alone: number[]; seconds: number }> {
  const began = performance.now();
  const ended = new AbortController();
  const opened = open(place, ended.signal);
  const result = await place.strangers.run(job);
  ended.abort();
  const took = performance.now() - began;
  const beside = await opened;
  complain(result);
  await untilRead(owner);
  return { beside, alone: await open(place, AbortSignal.timeout(Math.round(took))), seconds: took / 1_000 };
}

/** Mail is configured, with a server that is away, and callers' networks are those that they say. */
const environment = {
  LIAISON_PUBLIC_URL: PUBLIC_URL,
  LIAISON_MAIL_URL: "smtp://127.0.0.1:1",
  LIAISON_MAIL_FROM: "crm@example.com",
  LIAISON_TRUSTED_PROXIES: "127.0.0.1",
  LIAISON_OIDC_PRIVATE_NETWORKS: "127.0.0.1",
  // That mail cannot be sent is no news here.
  LOG_LEVEL: "error",
};

/** A provider that is away: strangers could have it called. */
async function setUpSingleSignOn(owner: pg.Client, keyring: Keyring, { id }: SeededTenant): Promise<void> {
  await owner.query(
    `insert into single_sign_on (tenant_id, sso_issuer, sso_client_id, sso_client_secret, sso_on)
    values ($1, 'https://nobody.localhost:1', 'bench', $2, true) on conflict do nothing`,
    [id, keyring.encrypt(id, SECRET_COLUMN, "secret")],
  );
}

/** The milliseconds of each page that a member opens, one after the other, until the signal. */
async function open({ url, cookie, tenant }: Place, until: AbortSignal): Promise<number[]> {
  const paths = ["/today", "/companies", `/companies/${tenant.firstCompany}`];
  const times: number[] = [];
  while (!until.aborted) {
    times.push(await timeOf(`${url}${paths[times.length % paths.length]}`, cookie));
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return times;
}

async function timeOf(address: string, cookie: string): Promise<number> {
  const began = performance.now();
  const answer = await fetch(address, { headers: { cookie, accept: "text/html" }, redirect: "manual" });
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`${address} answered ${answer.status}`);
  return performance.now() - began;
}

/** A door that is not there, or a failure, would cost less than what is to be measured. */
function complain(result: StrangersResult): void {
  for (const [door, ends] of Object.entries(result)) {
    const wrong = Object.keys(ends)
      .map(Number)
      .filter((status) => status === 0 || status === 404 || status === 500);
    if (wrong.length > 0) throw new Error(`${door} answered ${JSON.stringify(ends)}`);
  }
}

/** Until the worker has looked up the addresses of forgotten passwords. */
async function untilRead(owner: pg.Client): Promise<void> {
  const due =
    "select from jobs where kind = 'send-mail' and state in ('waiting', 'running') and run_at <= now() limit 1";
  while (((await owner.query(due)).rowCount ?? 0) > 0) await new Promise((resolve) => setTimeout(resolve, 200));
}
