import { fileURLToPath } from "node:url";
import { createApiKey } from "../../../src/api-keys/create-api-key.ts";
import { readConfig } from "../../../src/config.ts";
import { openDeps, type OpenDeps } from "../../../src/deps.ts";
import { createLogger } from "../../../src/platform/logger.ts";
import { insertTenant } from "../../../src/tenants/tenant-queries.ts";
import { saveConnection } from "../../../src/wms/connection/connection-queries.ts";
import { startSimulator, type Simulator } from "../../../wms-simulator/simulator.ts";
import { request } from "../../harness.ts";
import { serve, start, type Program, type Server } from "../../program.ts";
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

/** A company that is connected with an instance; every other one sends by itself. */
export type Sender = { id: number; token: string; sendsAutomatically: boolean };

export type Stage = Omit<Ground, "leaseMs"> & {
  simulator: Simulator;
  server: Part<Server>;
  workers: [Part, Part];
  slugs: string[];
  senders: Sender[];
};

/** The look-ups' lag, and what comes late, have to be over within LIAISON_WMS_SETTLE, as docs/wms.md asks. */
const SETTINGS = {
  LIAISON_WMS_PRIVATE_NETWORKS: "127.0.0.0/8",
  LIAISON_WMS_TIMEOUT: "1",
  LIAISON_WMS_SETTLE: "2",
  LIAISON_WMS_RETRY_MS: "50",
  LIAISON_WMS_POLL: "5",
  LIAISON_WORKER: "off",
  LIAISON_DEMO: "off",
  LIAISON_RATE_LIMIT: "0",
};
const SIMULATED = { seed: "chaos", slowMs: 1_300, lagMs: 500, progressMs: 3_000 };
const WORKER = fileURLToPath(new URL("worker-program.ts", import.meta.url));

/** A simulator, a server without a worker, two workers, and companies that send. */
export async function setStage({ leaseMs, ...ground }: Ground, size: Size): Promise<Stage> {
  const simulator = await startSimulator(SIMULATED);
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
    return { ...ground, environment, simulator, server, workers, ...(await settle(deps, url, size)) };
  } finally {
    await deps.close();
  }
}

/** Tenants, and companies of theirs, connected with instances by turns. */
async function settle(deps: OpenDeps, url: string, size: Size): Promise<Pick<Stage, "slugs" | "senders">> {
  const tenants = await Promise.all(
    Array.from({ length: size.tenants }, async (_, index) => {
      const slug = `chaos-${index}`;
      const tenant = await insertTenant(deps.database, slug, slug, null);
      if (tenant === null) throw new Error(`the slug ${slug} is taken`);
      const { token } = await createApiKey(tenant.id, deps.database, slug, {
        name: "chaos",
        capabilities: ["companies:write", "invoices:write", "wms-orders:write"],
        expiresAt: null,
        allowIp: [],
        rate: null,
      });
      return { ...tenant, token };
    }),
  );
  const senders = Array.from({ length: size.companies }, async (_, index): Promise<Sender> => {
    const tenant = tenants[index % tenants.length];
    if (tenant === undefined) throw new Error("there are no tenants");
    const { id, token } = tenant;
    const company = { name: `Company ${index}`, tax_id: `RO${1_000_000 + index}` };
    const { body } = await request(url, "POST", "/api/v1/companies", company, { token });
    const round = Math.floor(index / tenants.length);
    const sendsAutomatically = (index + round) % 2 === 0;
    await saveConnection(id, deps.database, String(body.data.id), {
      // Each tenant has companies at every instance, where there are enough.
      subdomain: `w${round % size.instances}`,
      key: deps.keyring.encrypt(id, "companies.wms_api_key", "key-of-warehouse"),
      sendsAutomatically,
      by: "system",
    });
    return { id: body.data.id, token, sendsAutomatically };
  });
  return { slugs: tenants.map(({ slug }) => slug), senders: await Promise.all(senders) };
}
