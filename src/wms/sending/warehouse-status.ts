import type { Deps } from "../../deps.ts";
import { wmsStates } from "../../invoices/invoice.ts";
import { readLanes } from "../../jobs/job-queries.ts";
import { isoOrNull } from "../../platform/dates.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { countStates } from "./push-queries.ts";

export type WarehouseLanes = {
  /** Null where nothing is on its way. */
  oldestPendingSeconds: number | null;
  lanes: { instance: string; running: number; waiting: number; closedUntil: string | null }[];
};

export type WarehouseStatus = WarehouseLanes & { states: Record<(typeof wmsStates)[number], number> };

/** A tenant's invoices, counted by their states, and the queue to each of its warehouses. */
export async function warehouseStatus(deps: Deps, tenant: TenantId): Promise<WarehouseStatus> {
  const [counts, lanes] = await Promise.all([countStates(tenant, deps.database), warehouseLanes(deps, tenant)]);
  const states = Object.fromEntries(wmsStates.map((state) => [state, counts.get(state) ?? 0]));
  return { states: states as WarehouseStatus["states"], ...lanes };
}

/** The queue to each of a tenant's warehouses. */
export async function warehouseLanes({ database, warehouse }: Deps, tenant: TenantId): Promise<WarehouseLanes> {
  const lanes = await readLanes(tenant, database, ["send-invoice"]);
  const ages = lanes.flatMap(({ oldestPendingSeconds }) => oldestPendingSeconds ?? []);
  return {
    oldestPendingSeconds: ages.length === 0 ? null : Math.max(...ages),
    lanes: lanes.map(({ lane, running, waiting, closedUntil }) => {
      const subdomain = lane.replace(/^wms\//, "");
      return {
        instance: warehouse?.instanceOf(subdomain) ?? subdomain,
        running,
        waiting,
        closedUntil: isoOrNull(closedUntil),
      };
    }),
  };
}
