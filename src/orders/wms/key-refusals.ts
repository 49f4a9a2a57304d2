import type { OrdersByIds, WarehouseClient } from "../../kit/warehouse/warehouse-client.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { storeRefusal } from "./key-refusal-queries.ts";

/**
 * A stored key, encrypted, and whether the warehouse refused it at the last call. `companyId` null: the key is the
 * workspace's.
 */
type KeyInUse = { companyId: string | null; key: string; isRefused: boolean };

/** The outcomes of calls whose key the warehouse accepted. Other outcomes show nothing about the key. */
const ACCEPTED = new Set(["reached", "created", "adopted", "found", "refused", "cancelled", "kept"]);

/**
 * A client for the calls of one connection. It stores the time when the warehouse refuses the key, and removes it after
 * a call that works. It writes nothing while a key works.
 */
export function storingRefusals(
  warehouse: WarehouseClient,
  tenant: TenantId,
  database: Database,
  key: KeyInUse,
): WarehouseClient {
  let { isRefused } = key;
  const recorded = async <Answer extends { outcome: string } | OrdersByIds>(call: Promise<Answer>): Promise<Answer> => {
    const answer = await call;
    const outcome = outcomeOf(answer);
    const isRefusal = outcome === "credentials";
    if (isRefusal || (isRefused && ACCEPTED.has(outcome))) {
      isRefused = isRefusal;
      await storeRefusal(tenant, database, key, isRefusal);
    }
    return answer;
  };
  return {
    instanceOf: (subdomain) => warehouse.instanceOf(subdomain),
    ping: async (access) => await recorded(warehouse.ping(access)),
    createOrder: async (access, order) => await recorded(warehouse.createOrder(access, order)),
    findByPair: async (access, pair) => await recorded(warehouse.findByPair(access, pair)),
    findByNumberAndFiscalId: async (access, sought) =>
      await recorded(warehouse.findByNumberAndFiscalId(access, sought)),
    order: async (access, orderId) => await recorded(warehouse.order(access, orderId)),
    cancelOrder: async (access, orderId) => await recorded(warehouse.cancelOrder(access, orderId)),
    ordersByIds: async (access, orderIds) => await recorded(warehouse.ordersByIds(access, orderIds)),
  };
}

function outcomeOf(answer: { outcome: string } | OrdersByIds): string {
  if ("outcome" in answer) return answer.outcome;
  const { orders, missing, failure } = answer;
  return failure?.outcome ?? (orders.length + missing.length > 0 ? "found" : "unknown");
}
