import type { Deps } from "../../kit/deps.ts";
import type { WarehouseAccess, WarehouseClient } from "../../kit/warehouse/warehouse-client.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { storingRefusals } from "./key-refusals.ts";

/** A company's warehouse; `warehouse` is the client for its calls. */
export type ReachedWarehouse = { instance: string; access: WarehouseAccess; warehouse: WarehouseClient };

/** The connection that applies to a company, as it is stored (`warehouseColumns`); `key` is encrypted. */
export type StoredWarehouse = {
  connectedCompany: string | null;
  isWorkspaces: boolean;
  subdomain: string | null;
  key: string | null;
  isKeyRefused: boolean;
};

/** The column that a connection's key is encrypted for. @param companyId null: the connection is the workspace's */
export function keyColumn(companyId: string | null) {
  return companyId === null ? "workspace_warehouses.wms_api_key" : "companies.wms_api_key";
}

/** Null if there is no connection, or no usable one. */
export function reachStored(
  { database, keyring }: Deps,
  warehouse: WarehouseClient,
  tenant: TenantId,
  { connectedCompany, isWorkspaces, subdomain, key: stored, isKeyRefused: isRefused }: StoredWarehouse,
): ReachedWarehouse | null {
  const companyId = isWorkspaces ? null : connectedCompany;
  const key = stored === null ? null : keyring.reveal(tenant, keyColumn(companyId), stored);
  const instance = subdomain === null ? null : warehouse.instanceOf(subdomain);
  if (subdomain === null || stored === null || key === null || instance === null) return null;
  const client = storingRefusals(warehouse, tenant, database, { companyId, key: stored, isRefused });
  return { instance, access: { subdomain, key }, warehouse: client };
}
