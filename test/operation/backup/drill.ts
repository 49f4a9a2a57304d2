import fs from "node:fs";
import path from "node:path";
import type pg from "pg";
import { readEncryptionKeys } from "../../../src/platform/encryption/key-file.ts";
import { createKeyring } from "../../../src/platform/encryption/keyring.ts";
import { asTenantId } from "../../../src/platform/postgres/tenant-id.ts";
import type { Simulator } from "../../../wms-simulator/simulator.ts";
import { requester } from "../../cli/installation.ts";
import { connectTo, createDataDirectory, isAlive, postmasterOf } from "../../failure/data-directory.ts";
import type { Answer } from "../../harness.ts";
import { administer } from "../../orders/wms/instance-calls.ts";
import type { SimulatedOrder } from "../../orders/wms/warehouse.ts";
import { poll, serve, start, type Program, type Server } from "../../program.ts";

/** An instance on an embedded database of its own. */
export type Instance = {
  dataDir: string;
  /** Starts a command. */
  start(...args: string[]): Program;
  /** Runs one that succeeds, and returns what it prints with `--json`. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests assert on what it turns out to be
  json(...args: string[]): Promise<any>;
  serve(environment?: Record<string, string>): Promise<Server>;
  /** Ends a server and the database at once, as a power cut does. */
  kill(server: Server): Promise<void>;
};

/**
 * @param keysOf the instance whose encryption keys it has; null: those that it makes
 * @param more of the environment
 */
export function createInstance(
  name: string,
  simulator: Simulator,
  keysOf: Instance | null = null,
  more: Record<string, string> = {},
): Instance {
  const dataDir = createDataDirectory(name);
  if (keysOf !== null) {
    fs.mkdirSync(dataDir);
    fs.copyFileSync(path.join(keysOf.dataDir, "encryption.keys"), path.join(dataDir, "encryption.keys"));
  }
  const environment = {
    LIAISON_DATA_DIR: dataDir,
    LIAISON_DEMO: "off",
    LIAISON_RATE_LIMIT: "0",
    LIAISON_WMS_URL: simulator.template,
    LIAISON_WMS_PRIVATE_NETWORKS: "127.0.0.0/8",
    LIAISON_WMS_TIMEOUT: "5",
    LIAISON_WMS_CONCURRENCY: "8",
    LIAISON_WMS_SETTLE: "1",
    LIAISON_WMS_RETRY_MS: "50",
    ...more,
  };
  return {
    dataDir,
    start: (...args) => start(args, environment),
    async json(...args) {
      const { code, stdout, stderr } = await start([...args, "--json"], environment).finished();
      if (code !== 0) throw new Error(`liaison ${args.join(" ")}: exit code ${code}: ${stderr}`);
      return JSON.parse(stdout);
    },
    serve: async (more = {}) => await serve({ ...environment, ...more }),
    async kill(server) {
      const postmaster = Number(postmasterOf(dataDir));
      server.process.kill("SIGKILL");
      process.kill(postmaster, "SIGKILL");
      await server.ended;
      await poll("PostgreSQL's end", () => !isAlive(postmaster));
    },
  };
}

/**
 * A company for each warehouse, which sends its invoices there by itself; the paths of their invoices.
 * @param owner is ended with it
 */
export async function connectCompanies(
  { dataDir }: Instance,
  { url, tenant, token }: { url: string; tenant: string; token: string },
  warehouses: readonly string[],
  owner?: pg.Client,
): Promise<string[]> {
  const keyring = createKeyring(readEncryptionKeys(dataDir) ?? []);
  owner ??= await connectTo(dataDir);
  const paths: string[] = [];
  for (const warehouse of warehouses) {
    const { body } = await requester(url, token)("POST", "/api/v1/companies", { name: warehouse, tax_id: warehouse });
    await owner.query(
      "update companies set wms_subdomain = $3, wms_api_key = $4, wms_send_automatically = true where tenant_id = $1 and id = $2",
      [
        tenant,
        body.data.id,
        warehouse,
        keyring.encrypt(asTenantId(tenant), "companies.wms_api_key", "key-of-warehouse"),
      ],
    );
    paths.push(`/api/v1/companies/${body.data.id}/invoices`);
  }
  await owner.end();
  return paths;
}

/** The ids that were given out, by kind. */
export type Given = { companies: Set<number>; contacts: Set<number>; invoices: Set<number> };

/**
 * Creates and changes companies, and issues invoices, until the signal; fails where an id is given out for the second
 * time.
 */
export async function keepWriting(
  { url, token, invoices }: { url: string; token: string; invoices: readonly string[] },
  given: Given,
  until: AbortSignal,
): Promise<void> {
  const api = requester(url, token);
  const made = (kind: keyof Given, { status, body, text }: Answer): number => {
    if (status !== 201) throw new Error(`${status} ${text}`);
    if (given[kind].has(body.data.id)) throw new Error(`of ${kind} ${body.data.id} is given out twice`);
    given[kind].add(body.data.id);
    return body.data.id;
  };
  const work = async () => {
    for (let n = 0; !until.aborted; n++) {
      const id = made("companies", await api("POST", "/api/v1/companies", { name: `Written ${n}`, phone: "+40 21 7" }));
      const company = `/api/v1/companies/${id}`;
      made("contacts", await api("POST", `${company}/contacts`, { first_name: "Eva", last_name: "Ene" }));
      if (n % 3 === 0) await api("PUT", company, { status: "active" });
      if (n % 7 === 6) await api("DELETE", company);
    }
  };
  const issue = async (path: string) => {
    while (!until.aborted) {
      const number = `S-${path.split("/")[4]}-${given.invoices.size}`;
      made("invoices", await api("POST", path, { number, total: "10.00", currency: "RON" }));
    }
  };
  await Promise.all([work(), work(), ...invoices.map(issue)]);
}

type LedgerOrder = SimulatedOrder & { order_number: string };

/** The orders that the warehouses have, by the invoice that they were made of. */
export async function ordersByInvoice(simulator: Simulator): Promise<Map<string, string[]>> {
  const { instances } = (await administer(simulator, "GET", "/ledger")) as {
    instances: Record<string, { orders: LedgerOrder[] }>;
  };
  const found = new Map<string, string[]>();
  for (const [instance, { orders }] of Object.entries(instances)) {
    for (const { external_order_id: invoice, order_id, order_number, sent } of orders) {
      const order = `${instance}.localhost ${order_id} ${order_number} ${String(sent.invoice_reference)} ${String(sent.total)}`;
      found.set(invoice, [...(found.get(invoice) ?? []), order]);
    }
  }
  return found;
}

const OF_WAREHOUSES = `from invoices i join companies c on c.tenant_id = i.tenant_id and c.id = i.company_id
  where c.wms_subdomain is not null`;

/** Waits until every invoice that is to be sent is. */
export async function untilSent(client: pg.Client): Promise<void> {
  const waiting = `select i.id, i.wms_state, i.wms_error ${OF_WAREHOUSES} and i.wms_state <> 'sent' limit 3`;
  let left: unknown[] = [];
  await poll("every order", async () => (left = (await client.query(waiting)).rows).length === 0, 180).catch(() => {
    throw new Error(`not sent: ${JSON.stringify(left)}`);
  });
}

/**
 * Every invoice beside what the warehouses have.
 * @param lost ids of invoices that the instance has lost: their orders are of no invoice
 */
export async function judge(
  client: pg.Client,
  simulator: Simulator,
  lost: ReadonlySet<number>,
): Promise<{ dup: number; mismatched: number }> {
  const orders = await ordersByInvoice(simulator);
  const verdict = { dup: [...orders.values()].filter((ofOne) => ofOne.length > 1).length, mismatched: 0 };
  const { rows } = await client.query<{ id: string; link: string }>(
    `select i.id::text, concat_ws(' ', i.wms_instance, i.wms_order_id, i.wms_order_number, i.number, i.total) as link ${OF_WAREHOUSES}`,
  );
  for (const { id, link } of rows) {
    if (orders.get(id)?.[0] !== link) verdict.mismatched++;
    orders.delete(id);
  }
  verdict.mismatched += [...orders.keys()].filter((id) => !lost.has(Number(id))).length;
  return verdict;
}
