import assert from "node:assert/strict";
import { after } from "node:test";
import { startWorker } from "../../../src/kit/jobs/run-jobs.ts";
import { jobKinds } from "../../../src/worker.ts";
import type { Faults } from "../../../wms-simulator/faults.ts";
import { startSimulator, type Simulator, type SimulatorOptions } from "../../../wms-simulator/simulator.ts";
import { startServer, type TestServer, type TestTenant } from "../../harness.ts";
import { poll } from "../../program.ts";
import { administer } from "./instance-calls.ts";

/** A server with a worker in the process, and a warehouse to send to. */
export type WarehouseServer = TestServer & {
  simulator: Simulator;
  faults(faults: Faults): Promise<void>;
  orders(instance: string): Promise<SimulatedOrder[]>;
  /** A company of the tenant that is connected with an instance. */
  connect(tenant: TestTenant, instance: string, options?: { automatically?: boolean }): Promise<string>;
  /** Resolves with the invoice when `isDone` says so. */
  until(tenant: TestTenant, id: number, isDone: (wms: Wms) => boolean): Promise<Wms>;
};

export type SimulatedOrder = {
  order_id: number;
  external_order_id: string;
  status: string;
  vanished: boolean;
  sent: Record<string, unknown>;
};

export type Wms = {
  state: string;
  instance: string | null;
  order_id: number | null;
  order_number: string | null;
  status: string | null;
  synced_at: string | null;
  error: string | null;
};

/** @param environment beside what makes everything quick */
export async function startWithWarehouse(
  environment: Record<string, string> = {},
  simulated: Partial<SimulatorOptions> = {},
): Promise<WarehouseServer> {
  const simulator = await startSimulator({ slowMs: 300, lagMs: 500, ...simulated });
  const stop = new AbortController();
  let ended = Promise.resolve();
  // Before the server's own end, which takes the database away.
  after(async () => {
    stop.abort();
    // Calls that hang end with it.
    await simulator.close();
    await ended;
  });
  const server = await startServer({
    LIAISON_WMS_URL: simulator.template,
    LIAISON_WMS_PRIVATE_NETWORKS: "127.0.0.0/8",
    LIAISON_WMS_TIMEOUT: "1",
    LIAISON_WMS_SETTLE: "1",
    LIAISON_WMS_RETRY_MS: "10",
    ...environment,
  });
  ended = startWorker(server.deps, jobKinds, { stop: stop.signal, pollMs: 50 }).ended;
  return {
    ...server,
    simulator,
    async faults(faults) {
      await administer(simulator, "PUT", "/faults", faults);
    },
    async orders(instance) {
      const { instances } = (await administer(simulator, "GET", "/ledger")) as {
        instances: Record<string, { orders: SimulatedOrder[] }>;
      };
      return instances[instance]?.orders ?? [];
    },
    async connect(tenant, instance, { automatically = false } = {}) {
      const { body } = await tenant.post("/api/v1/companies", {
        name: `Firm ${instance}`,
        tax_id: `RO${Math.random()}`.slice(0, 12),
      });
      const key = server.deps.keyring.encrypt(tenant.id, "companies.wms_api_key", "key-of-warehouse");
      await server.sql(
        "update companies set wms_subdomain = $3, wms_api_key = $4, wms_send_automatically = $5 where tenant_id = $1 and id = $2",
        [tenant.id, body.data.id, instance, key, automatically],
      );
      return String(body.data.id);
    },
    async until(tenant, id, isDone) {
      let wms: Wms | undefined;
      await poll(`the invoice ${id}`, async () => {
        wms = (await tenant.get(`/api/v1/invoices/${id}`)).body.data.wms as Wms;
        return isDone(wms);
      });
      assert.ok(wms !== undefined);
      return wms;
    },
  };
}
