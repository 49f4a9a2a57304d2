import type { Deps } from "../../../kit/deps.ts";
import { openLane, readLanes } from "../../../kit/jobs/job-queries.ts";
import { laneOf } from "../../../kit/warehouse/instance-url.ts";
import { isoOrNull } from "../../../platform/dates.ts";
import type { TenantId } from "../../../platform/postgres/tenant-id.ts";
import { wmsStates } from "../../invoices/invoice.ts";
import { countStates } from "./push-queries.ts";

export type WarehouseLanes = {
  /** Null if nothing is on its way. */
  oldestPendingSeconds: number | null;
  lanes: WarehouseLane[];
};

/** The queue to one warehouse. */
export type WarehouseLane = {
  instance: string;
  subdomain: string;
  running: number;
  waiting: number;
  oldestPendingSeconds: number | null;
  closedUntil: string | null;
};

export type WarehouseStatus = WarehouseLanes & { states: Record<(typeof wmsStates)[number], number> };

/** A tenant's invoices, counted by their states, and the queue to each of its warehouses. */
export async function warehouseStatus(deps: Deps, tenant: TenantId): Promise<WarehouseStatus> {
  const [counts, lanes] = await Promise.all([countStates(tenant, deps.database), warehouseLanes(deps, tenant)]);
  const states = Object.fromEntries(wmsStates.map((state) => [state, counts.get(state) ?? 0]));
  return { states: states as WarehouseStatus["states"], ...lanes };
}

/**
 * The queue to each of a tenant's warehouses.
 * @param most the number of jobs that are counted at most; null: all
 */
export async function warehouseLanes(
  { database, warehouse }: Deps,
  tenant: TenantId,
  most: number | null = null,
): Promise<WarehouseLanes> {
  const lanes = await readLanes(tenant, database, ["send-invoice"], most);
  const ages = lanes.flatMap(({ oldestPendingSeconds }) => oldestPendingSeconds ?? []);
  return {
    oldestPendingSeconds: ages.length === 0 ? null : Math.max(...ages),
    lanes: lanes.map(({ lane, running, waiting, oldestPendingSeconds, closedUntil }) => {
      const subdomain = lane.replace(/^wms\//, "");
      return {
        instance: warehouse?.instanceOf(subdomain) ?? subdomain,
        subdomain,
        running,
        waiting,
        oldestPendingSeconds,
        closedUntil: isoOrNull(closedUntil),
      };
    }),
  };
}

/** Has a paused warehouse called before the end of its pause. False if it was not paused. */
export async function tryWarehouse({ database }: Deps, tenant: TenantId, subdomain: string): Promise<boolean> {
  return await openLane(tenant, database, laneOf(subdomain));
}
