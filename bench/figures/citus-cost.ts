import { spawn, type ChildProcess } from "node:child_process";
import path from "node:path";
import type pg from "pg";
import { saveWorkspaceConnection } from "../../src/orders/wms/connection/workspace-connection-queries.ts";
import { capabilities } from "../../src/people/api-keys/capability.ts";
import { createApiKey } from "../../src/people/api-keys/create-api-key.ts";
import { insertTenant } from "../../src/people/tenants/tenant-queries.ts";
import { openKeyring } from "../../src/platform/encryption/key-file.ts";
import { createLogger } from "../../src/platform/logger.ts";
import type { Connection } from "../../src/platform/postgres/database.ts";
import { openDatabase } from "../../src/platform/postgres/open-database.ts";
import { openRequestRole } from "../../src/platform/postgres/request-role.ts";
import { databaseOn, startCitusNode, stopCitusNode, type CitusNode } from "../candidates/citus-nodes.ts";
import { familyCpuSeconds } from "../candidates/process-usage.ts";
import { freePort, startProduct } from "../candidates/servers.ts";
import { untilIdle } from "../load/before-and-after.ts";
import { endWithUs, stopProcess } from "../load/processes.ts";
import { ROOT } from "../tenants/data-directory.ts";
import { connectAsOwner } from "../tenants/seed.ts";
import type { Figure } from "./figure.ts";

/** The number of tenants, and of requests of each of the four kinds. */
export type CitusSizes = { tenants: number; requests: number };

export const FULL_CITUS: CitusSizes = { tenants: 64, requests: 2_500 };
export const QUICK_CITUS: CitusSizes = { tenants: 4, requests: 8 };

const COMPANIES = 60;
const CONNECTIONS = 8;
const LAYOUTS = ["one PostgreSQL", "coordinator + one worker", "coordinator + two workers"];

/** A tenant, the ids of its companies, and of its invoices that wait to be sent. */
type Tenant = { token: string; companies: number[]; invoices: number[] };

type Kind = {
  name: string;
  request: (tenant: Tenant, turn: number) => { method: string; path: string; body?: object };
};

const kinds: readonly Kind[] = [
  { name: "show one", request: ({ companies }, turn) => get(`/companies/${companies[turn % companies.length]}`) },
  { name: "list", request: () => get("/companies?per_page=50") },
  { name: "create", request: (_tenant, turn) => post("/companies", { name: `New ${turn}` }) },
  { name: "send, with its job", request: ({ invoices }) => post(`/invoices/${invoices.pop()}/wms-order`) },
];

/**
 * Processor time of each node per request, over one PostgreSQL, and over a coordinator with one and with two workers.
 * LIAISON_CITUS_BIN names the folder of PostgreSQL's programs.
 */
export async function citusFigures(
  dataDir: string,
  sizes: CitusSizes,
  progress: (message: string) => void,
): Promise<Figure[]> {
  const binaries = process.env.LIAISON_CITUS_BIN ?? "";
  if (binaries === "") throw new Error("LIAISON_CITUS_BIN must name the folder with initdb and postgres of a Citus.");
  const wmsPort = await freePort();
  const simulator = startSimulator(wmsPort);
  const figures: Figure[] = [];
  try {
    for (const [workers, layout] of LAYOUTS.entries()) {
      progress(layout);
      const nodes: CitusNode[] = [];
      try {
        for (let node = 0; node <= workers; node++) {
          nodes.push(await startCitusNode(binaries, path.join(dataDir, `node-${workers}-${node}`)));
        }
        const [coordinator, ...others] = nodes as [CitusNode, ...CitusNode[]];
        const connection = await databaseOn(coordinator, others);
        const names = [layout, ...others.map((_, index) => `its worker ${index + 1}`)];
        for (const { kind, spent } of await measure({ connection, nodes, dataDir, wmsPort, sizes, progress })) {
          figures.push(...names.map((name, at) => ({ name: `${kind}, ${name}`, value: spent[at] ?? 0, unit: "ms" })));
        }
      } finally {
        await Promise.all(nodes.map(stopCitusNode));
      }
    }
  } finally {
    await stopProcess(simulator);
  }
  return figures;
}

type Measuring = {
  connection: Connection;
  nodes: readonly CitusNode[];
  dataDir: string;
  wmsPort: number;
  sizes: CitusSizes;
  progress: (message: string) => void;
};

/** Milliseconds of a processor per request, of each kind and each node. */
async function measure({ connection, nodes, dataDir, wmsPort, sizes, progress }: Measuring) {
  const { host, port, user, database } = connection;
  const directory = path.join(dataDir, `server-${nodes.length}`);
  const tokens = await createTenants(connection, directory, sizes.tenants);
  const server = await startProduct("product", ROOT, directory, {
    environment: {
      DATABASE_URL: `postgres://${user}@${String(host)}:${port}/${database}`,
      LIAISON_WMS_URL: `http://{subdomain}.localhost:${wmsPort}/api/v1`,
      LIAISON_WMS_PRIVATE_NETWORKS: "127.0.0.1",
    },
  });
  const owner = await connectAsOwner(connection);
  try {
    progress("companies and invoices");
    const each = Math.ceil(sizes.requests / sizes.tenants) + 1;
    const tenants: Tenant[] = [];
    for (const token of tokens) tenants.push(await fill(server.url, token, each));
    const measured: { kind: string; spent: number[] }[] = [];
    for (const { name, request } of kinds) {
      progress(name);
      const ask = async (turn: number) => {
        const tenant = tenants[turn % tenants.length] as Tenant;
        await send(server.url, tenant.token, request(tenant, Math.floor(turn / tenants.length)));
      };
      // The first one of each tenant prepares statements on the connections.
      await inTurns(tenants.length, ask);
      await untilDone(owner);
      const before = nodes.map(({ pid }) => familyCpuSeconds(pid));
      await inTurns(sizes.requests, ask);
      await untilDone(owner);
      const spent = nodes.map(({ pid }, at) => (1_000 * (familyCpuSeconds(pid) - (before[at] ?? 0))) / sizes.requests);
      measured.push({ kind: name, spent });
    }
    return measured;
  } finally {
    await stopProcess(server.process);
    await owner.end();
  }
}

/** Tenants with a key and a warehouse each. Returns their tokens. */
async function createTenants(connection: Connection, dataDir: string, count: number): Promise<string[]> {
  const keyring = await openKeyring(connection, dataDir, null, () => {});
  const requests = await openRequestRole(connection);
  const database = openDatabase({ connection, requests, logger: createLogger("warn") });
  const specification = {
    name: "bench",
    capabilities: [...capabilities],
    expiresAt: null,
    allowIp: [],
    rate: null,
  };
  const tokens: string[] = [];
  for (let number = 1; number <= count; number++) {
    const slug = `tenant-${number}`;
    const tenant = await insertTenant(database, slug, slug, null);
    if (tenant === null) throw new Error(`${slug} exists`);
    const warehouse = {
      subdomain: slug,
      instance: `${slug}.localhost`,
      key: keyring.encrypt(tenant.id, "workspace_warehouses.wms_api_key", "bench-key-0123456789"),
      sendsAutomatically: false,
      by: "bench",
    };
    await saveWorkspaceConnection(tenant.id, database, warehouse, null);
    tokens.push((await createApiKey(tenant.id, database, slug, specification)).token);
  }
  await database.close();
  return tokens;
}

async function fill(url: string, token: string, invoices: number): Promise<Tenant> {
  const items = Array.from({ length: COMPANIES }, (_, index) => ({
    name: `Company ${index}`,
    tax_id: `RO${1_000 + index}`,
  }));
  const created = await send(url, token, post("/companies/batch", { items }));
  const companies = idsIn(created);
  const line = { sku: "BOX", description: "Goods", quantity: "2", unit_price: "5.00" };
  const drafts = Array.from({ length: invoices }, (_, index) => ({
    company_id: companies[index % COMPANIES],
    number: `INV-${index}`,
    issued_on: "2026-11-01",
    total: "10.00",
    currency: "RON",
    lines: [line],
  }));
  const stored = await send(url, token, post("/invoices/batch", { items: drafts }));
  return { token, companies, invoices: idsIn(stored) };
}

function idsIn(batch: unknown): number[] {
  return (batch as { results: { id: number }[] }).results.map(({ id }) => id);
}

const get = (resource: string) => ({ method: "GET", path: `/api/v1${resource}` });
const post = (resource: string, body?: object) => ({
  method: "POST",
  path: `/api/v1${resource}`,
  ...(body && { body }),
});

async function send(url: string, token: string, asked: ReturnType<Kind["request"]>): Promise<unknown> {
  const response = await fetch(url + asked.path, {
    method: asked.method,
    headers: { authorization: `Bearer ${token}`, ...(asked.body && { "content-type": "application/json" }) },
    ...(asked.body && { body: JSON.stringify(asked.body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${asked.method} ${asked.path}: ${response.status} ${text}`);
  return JSON.parse(text);
}

async function inTurns(count: number, ask: (turn: number) => Promise<void>): Promise<void> {
  let next = 0;
  const one = async () => {
    while (next < count) await ask(next++);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, one));
}

/** Waits until every invoice that was queued has its order, and the database rests. */
async function untilDone(owner: pg.Client): Promise<void> {
  for (;;) {
    const { rowCount } = await owner.query("select from invoices where wms_state in ('queued', 'sending') limit 1");
    if (rowCount === 0) break;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  await untilIdle(owner);
}

/** A warehouse that takes every order. */
function startSimulator(port: number): ChildProcess {
  const simulator = spawn(process.execPath, ["wms-simulator/main.ts", "--port", String(port)], {
    cwd: ROOT,
    detached: true,
    stdio: ["ignore", "ignore", "inherit"],
  });
  endWithUs(simulator);
  return simulator;
}
