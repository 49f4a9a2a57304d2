import type { Deps } from "../deps.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";
import type { WarehouseAccess, WarehouseClient } from "../warehouse/warehouse-client.ts";
import { storingRefusals } from "./key-refusals.ts";

/** The way to a company's warehouse; `warehouse` is the client for its calls. */
export type ReachedWarehouse = { instance: string; access: WarehouseAccess; warehouse: WarehouseClient };

/** A company's stored connection; `key` is encrypted. */
type Stored = { companyId: string; subdomain: string | null; key: string | null; isRefused: boolean };

/** Null if there is no connection, or no usable one. */
export function reachStored(
  { database, keyring }: Deps,
  warehouse: WarehouseClient,
  tenant: TenantId,
  { companyId, subdomain, key: stored, isRefused }: Stored,
): ReachedWarehouse | null {
  const key = stored === null ? null : keyring.reveal(tenant, "companies.wms_api_key", stored);
  const instance = subdomain === null ? null : warehouse.instanceOf(subdomain);
  if (subdomain === null || stored === null || key === null || instance === null) return null;
  const client = storingRefusals(warehouse, tenant, database, { companyId, key: stored, isRefused });
  return { instance, access: { subdomain, key }, warehouse: client };
}
