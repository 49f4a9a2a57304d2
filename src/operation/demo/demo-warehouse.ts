import { spawn, type ChildProcess } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import type { Config } from "../../kit/config.ts";
import type { Deps } from "../../kit/deps.ts";
import { openWarehouse } from "../../kit/warehouse/open-warehouse.ts";
import { parseNetworks } from "../../platform/network.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { oneAtATime } from "./demo-queries.ts";

const SIMULATOR = path.join(import.meta.dirname, "../../../wms-simulator/main.ts");
/** Seconds between two steps of an order (picked, packed, shipped), and between two polls. */
const PROGRESS_SECONDS = 6;
const POLL_SECONDS = 3;
/** Longer than a slow machine needs to start a program. */
const PATIENCE_MS = 30_000;
const PROBE_MS = 2_000;

export type DemoWarehouse = {
  ofOneTenant: NonNullable<Deps["ofOneTenant"]>;
  /** The URL to view and change the orders. */
  ledger: string;
  close(): Promise<void>;
};

/**
 * Whether this installation has a simulated warehouse: it has the demo, an embedded database, and no warehouse of its
 * own.
 */
export function hasDemoWarehouse({ databaseUrl, demo, wms }: Config): boolean {
  // The container image has no simulator.
  return databaseUrl === null && demo && wms.url === null && fs.existsSync(SIMULATOR);
}

/**
 * Starts the warehouse simulator (docs/wms.md 7) on loopback, or finds the one that another server of the same data
 * directory has started. Only the demo tenant can reach it: calls of other tenants still go to public addresses only.
 * It ends with the process that started it, even after a crash. Its orders are stored beside the database.
 */
export async function startDemoWarehouse(deps: Deps, tenant: TenantId): Promise<DemoWarehouse> {
  const { address, simulator } = await oneAtATime(deps.database, async () => await findOrStart(deps.config.dataDir));
  return await openDemoWarehouse(deps, tenant, address, simulator);
}

/** The simulator that a running server has started; null without one. Commands use it, and it outlives them. */
export async function findDemoWarehouse(deps: Deps, tenant: TenantId): Promise<DemoWarehouse | null> {
  const address = hasDemoWarehouse(deps.config) ? await findSimulator(addressFileOf(deps.config.dataDir)) : null;
  return address === null ? null : await openDemoWarehouse(deps, tenant, address, null);
}

async function openDemoWarehouse(
  { config, areCallsHeld }: Deps,
  tenant: TenantId,
  address: string,
  simulator: ChildProcess | null,
): Promise<DemoWarehouse> {
  const { host } = new URL(address);
  const url = `http://{subdomain}.localhost:${host.split(":")[1]}/api/v1`;
  const wms = { ...config.wms, url, privateNetworks: parseNetworks("127.0.0.1"), pollSeconds: POLL_SECONDS };
  const opened = await openWarehouse(wms, areCallsHeld);
  return {
    ofOneTenant: { tenant, config: { ...config, wms }, warehouse: opened?.client ?? null },
    ledger: `${address}/ledger`,
    async close() {
      await opened?.close();
      simulator?.stdin?.end();
    },
  };
}

async function findOrStart(dataDir: string): Promise<{ address: string; simulator: ChildProcess | null }> {
  const addressFile = addressFileOf(dataDir);
  const known = await findSimulator(addressFile);
  if (known !== null) return { address: known, simulator: null };
  const options = ["--port", "0", "--progress", String(PROGRESS_SECONDS)];
  const ledger = ["--ledger", path.join(dataDir, "demo-warehouse.ledger")];
  const simulator = spawn(process.execPath, [SIMULATOR, ...options, ...ledger, "--until-input-ends"], {
    stdio: ["pipe", "pipe", "ignore"],
    // The simulator gets none of Liaison's settings, which include keys.
    env: {},
  });
  // The simulator may have ended before it is closed.
  simulator.stdin?.on("error", () => {});
  const [, address] = /orders are at (\S+)\/ledger\./.exec(await firstLine(simulator)) ?? [];
  if (address === undefined) throw new Error("the simulator does not say where it is");
  fs.writeFileSync(addressFile, address, { mode: 0o600 });
  return { address, simulator };
}

function addressFileOf(dataDir: string): string {
  return path.join(dataDir, "demo-warehouse.address");
}

/** The address in the file, if a simulator answers there. */
async function findSimulator(addressFile: string): Promise<string | null> {
  try {
    const address = fs.readFileSync(addressFile, "utf8");
    const answer = await fetch(`${address}/ledger`, { signal: AbortSignal.timeout(PROBE_MS) });
    return answer.ok && "instances" in ((await answer.json()) as object) ? address : null;
  } catch {
    return null;
  }
}

async function firstLine(simulator: ChildProcess): Promise<string> {
  return await new Promise((resolve, reject) => {
    const fail = (reason: string) => reject(new Error(`the simulator ${reason}`));
    const timer = setTimeout(() => fail("does not start"), PATIENCE_MS);
    let text = "";
    simulator.once("error", (error) => fail(error.message));
    simulator.once("exit", () => fail("has ended"));
    simulator.stdout?.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      if (!text.includes("\n")) return;
      clearTimeout(timer);
      resolve(text.slice(0, text.indexOf("\n")));
    });
  });
}
