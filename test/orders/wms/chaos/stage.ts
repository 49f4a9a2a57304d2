import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { readConfig } from "../../../../src/kit/config.ts";
import { openDeps, type OpenDeps } from "../../../../src/kit/deps.ts";
import { saveConnection } from "../../../../src/orders/wms/connection/connection-queries.ts";
import { saveWorkspaceConnection } from "../../../../src/orders/wms/connection/workspace-connection-queries.ts";
import { createApiKey } from "../../../../src/people/api-keys/create-api-key.ts";
import { insertTenant } from "../../../../src/people/tenants/tenant-queries.ts";
import { createLogger } from "../../../../src/platform/logger.ts";
import type { TenantId } from "../../../../src/platform/postgres/tenant-id.ts";
import { signedIn, visitor, type Visitor } from "../../../doors/pages/visitor.ts";
import { request, unlimited } from "../../../harness.ts";
import { poll, serve, start, type Program, type Server } from "../../../program.ts";
import { createPart, untilReady, type Part } from "./part.ts";

/** A PostgreSQL, and what the programs on it share. */
export type Ground = {
  environment: Record<string, string>;
  /** As the owner of the tables. */
  sql(text: string, parameters?: unknown[]): Promise<Record<string, unknown>[]>;
  /** Null: PostgreSQL is not ours to kill. */
  killPostgres: (() => Promise<void>) | null;
  /** Of the workers' jobs; null: as `liaison worker` has it. */
  leaseMs: number | null;
};

export type Size = { invoices: number; companies: number; instances: number; tenants: number; kills: number };

/**
 * A company that is connected with an instance; every other one sends by itself. Some have no connection of their own,
 * and use the workspace's.
 */
export type Sender = {
  id: number;
  tenantId: TenantId;
  token: string;
  instance: string;
  sendsAutomatically: boolean;
  isShared: boolean;
};

/** An admin of a tenant, with a file of invoices. */
export type Person = {
  tenantId: TenantId;
  token: string;
  /** Of a session. */
  cookie: string;
  senders: Sender[];
  /** The workspace's connection. */
  shared: Shared;
  /** Of the invoices in the person's file. */
  numbers: string[];
  /** The paths of the imports of the file that were not undone. */
  imports: string[];
};

export type Shared = { instance: string; sendsAutomatically: boolean };

/** What a person may do. Each says whether it was done, as far as the person can tell. */
export type Steps = Record<string, () => Promise<boolean>>;

export type Stage = Omit<Ground, "leaseMs"> & {
  simulator: Simulated;
  /** The simulator's calls, a line of JSON for each. */
  callsFile: string;
  server: Part<Server>;
  workers: [Part, Part];
  slugs: string[];
  senders: Sender[];
  people: Person[];
  instances: string[];
};

/**
 * The look-ups' lag, and what comes late, have to be over within this time, as docs/wms.md asks: 800 ms by plan. The
 * rest is for a busy machine, on which the simulator comes to everything later.
 */
export const SETTLE_MS = 4_000;

/** The pause between two questions about an order. */
export const POLL_SECONDS = 5;

const SETTINGS = {
  LIAISON_WMS_PRIVATE_NETWORKS: "127.0.0.0/8",
  LIAISON_WMS_TIMEOUT: "1",
  LIAISON_WMS_SETTLE: String(SETTLE_MS / 1_000),
  LIAISON_WMS_RETRY_MS: "50",
  LIAISON_WMS_POLL: String(POLL_SECONDS),
  LIAISON_WORKER: "off",
  LIAISON_DEMO: "off",
  LIAISON_RATE_LIMIT: "0",
};
export const SIMULATED = { seed: "chaos", slowMs: 1_300, lagMs: 500, progressMs: 3_000 };
/** The number of posted invoices for each invoice of a file. */
const IMPORTED_OF = 10;
const WORKER = fileURLToPath(new URL("worker-program.ts", import.meta.url));
const SIMULATOR = fileURLToPath(new URL("../../../../wms-simulator/main.ts", import.meta.url));

/** A simulator, a process of its own: in this one, it would be late whenever the people here are busy. */
export type Simulated = { admin: string; template: string; end: () => Promise<void> };

async function startSimulated(callsFile: string): Promise<Simulated> {
  const { seed, slowMs, lagMs, progressMs } = SIMULATED;
  const [slow, lag, progress] = [slowMs, lagMs, progressMs].map((ms) => String(ms / 1_000)) as [string, string, string];
  const options = ["--port", "0", "--seed", seed, "--slow", slow, "--lag", lag, "--progress", progress];
  const program = start([...options, "--calls", callsFile, "--until-input-ends"], {}, null, [], SIMULATOR);
  await poll("the simulator's start", () => program.output().includes("is ready"));
  const [, admin = ""] = /at (\S+)\/ledger/.exec(program.output()) ?? [];
  const [, template = ""] = /LIAISON_WMS_URL='([^']+)'/.exec(program.output()) ?? [];
  const end = async () => {
    program.process.kill("SIGKILL");
    await program.ended;
  };
  return { admin, template, end };
}

/** A simulator, a server without a worker, two workers, and companies that send. */
export async function setStage({ leaseMs, ...ground }: Ground, size: Size): Promise<Stage> {
  const callsFile = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "liaison-calls-")), "calls.jsonl");
  const simulator = await startSimulated(callsFile);
  const environment = { ...ground.environment, ...SETTINGS, LIAISON_WMS_URL: simulator.template };
  const server = createPart(async () => await serve(environment));
  await server.current();
  const worker = () =>
    createPart(async (): Promise<Program> => {
      if (leaseMs === null) return await untilReady(start(["worker"], environment));
      return await untilReady(start([], { ...environment, LEASE_MS: String(leaseMs) }, "", [], WORKER));
    });
  const workers: Stage["workers"] = [worker(), worker()];
  const deps = await openDeps(readConfig({ ...environment, LOG_LEVEL: "warn" }), createLogger("warn"));
  try {
    const { url } = await server.current();
    return { ...ground, environment, simulator, callsFile, server, workers, ...(await settle(deps, url, size)) };
  } finally {
    await deps.close();
  }
}

/** Tenants, and companies of theirs, connected with instances by turns. */
async function settle(
  deps: OpenDeps,
  url: string,
  size: Size,
): Promise<Pick<Stage, "slugs" | "senders" | "people" | "instances">> {
  const tenants = await Promise.all(
    Array.from({ length: size.tenants }, async (_, index) => {
      const slug = `chaos-${index}`;
      const tenant = await insertTenant(deps.database, slug, slug, null);
      if (tenant === null) throw new Error(`the slug ${slug} is taken`);
      const { token } = await createApiKey(tenant.id, deps.database, slug, {
        name: "chaos",
        capabilities: [
          "companies:read",
          "companies:write",
          "addresses:write",
          "invoices:read",
          "invoices:write",
          "wms-orders:write",
        ],
        ...unlimited,
      });
      const browser = await signedIn({ deps, url }, tenant, { role: "admin" });
      const shared = { instance: `w${index % size.instances}`, sendsAutomatically: index % 2 === 0 };
      await saveWorkspaceConnection(
        tenant.id,
        deps.database,
        {
          subdomain: shared.instance,
          instance: deps.warehouse?.instanceOf(shared.instance) ?? null,
          key: deps.keyring.encrypt(tenant.id, "workspace_warehouses.wms_api_key", "key-of-warehouse"),
          sendsAutomatically: shared.sendsAutomatically,
          by: "system",
        },
        null,
      );
      return { ...tenant, token, shared, cookie: browser.cookies.get("liaison") ?? "" };
    }),
  );
  const instances = Array.from({ length: size.instances }, (_, index) => `w${index}`);
  const senders = Array.from({ length: size.companies }, async (_, index): Promise<Sender> => {
    const tenant = tenants[index % tenants.length];
    if (tenant === undefined) throw new Error("there are no tenants");
    const { id, token, shared } = tenant;
    const company = { name: `Company ${index}`, tax_id: `RO${1_000_000 + index}` };
    const { body } = await request(url, "POST", "/api/v1/companies", company, { token });
    for (const address of ["Nord", "Sud"])
      await request(url, "POST", `/api/v1/companies/${body.data.id}/addresses`, { address }, { token });
    const round = Math.floor(index / tenants.length);
    if (round % 3 === 2) return { id: body.data.id, tenantId: id, token, ...shared, isShared: true };
    const sendsAutomatically = (index + round) % 2 === 0;
    const instance = String(instances[round % size.instances]);
    await saveConnection(id, deps.database, String(body.data.id), {
      // Each tenant has companies at every instance, where there are enough.
      subdomain: instance,
      instance: deps.warehouse?.instanceOf(instance) ?? null,
      key: deps.keyring.encrypt(id, "companies.wms_api_key", "key-of-warehouse"),
      sendsAutomatically,
      by: "system",
    });
    return { id: body.data.id, tenantId: id, token, instance, sendsAutomatically, isShared: false };
  });
  const all = await Promise.all(senders);
  const people = tenants.map(({ id, slug, token, cookie, shared }) => {
    const own = all.filter(({ tenantId }) => tenantId === id);
    const numbers = Array.from(
      { length: Math.ceil(size.invoices / IMPORTED_OF / size.tenants) },
      (_, index) => `IMP-${slug}-${index}`,
    );
    return { tenantId: id, token, cookie, senders: own, shared, numbers, imports: [] };
  });
  return { slugs: tenants.map(({ slug }) => slug), senders: all, people, instances };
}

/** The browser of a person, at whichever server there is now. */
export async function browserOf({ server }: Stage, { cookie }: Person): Promise<Visitor> {
  const browser = visitor(await server.current());
  browser.cookies.set("liaison", cookie);
  return browser;
}
