import type { Deps } from "../../../kit/deps.ts";
import type { WarehouseClient } from "../../../kit/warehouse/warehouse-client.ts";
import type { TenantId } from "../../../platform/postgres/tenant-id.ts";
import type { SendReason } from "../../invoices/wms-error.ts";
import { failureReason } from "../sending/failure-reason.ts";
import { readOrders, ORDERS_AT_ONCE, reach, rules } from "./follow-orders.ts";
import { listFollowed, recordNews, type Followed } from "./follow-queries.ts";

export type Synced = {
  checked: number;
  changed: number;
  missing: number;
  /** Companies whose warehouse did not answer, each with the reason. */
  failures: { companyId: string; reason: SendReason }[];
};

/**
 * Reads all followed orders from their warehouses now, or that of one invoice (null: all). Orders of companies that are
 * no longer connected with the order's warehouse are skipped.
 */
export async function syncOrders(
  deps: Deps,
  warehouse: WarehouseClient,
  tenant: TenantId,
  number: string | null,
  signal: AbortSignal,
): Promise<Synced> {
  const { database } = deps;
  const synced: Synced = { checked: 0, changed: 0, missing: 0, failures: [] };
  const silent = new Set<string>();
  for (let after = { company: "0", id: "0" }; ;) {
    signal.throwIfAborted();
    const found = await listFollowed(tenant, database, { ...after, number, limit: ORDERS_AT_ONCE });
    const [first] = found;
    if (first === undefined) break;
    // The next orders of one connection, because each has its own warehouse and key.
    const end = found.findIndex(({ companyId, sender }) => companyId !== first.companyId || sender !== first.sender);
    const group = end < 0 ? found : found.slice(0, end);
    after = { company: first.companyId, id: group.at(-1)?.invoiceId ?? "0" };
    if (silent.has(first.sender)) continue;
    const reached = await reach(deps, warehouse, tenant, first.sender);
    const here = group.filter(({ instance }) => instance === reached?.instance);
    if (reached === null || here.length === 0) continue;
    const { news, failure } = await readOrders(reached.warehouse, reached.access, here);
    await database.write(tenant, [recordNews(reached.instance, news, rules(deps))]);
    count(synced, here, news);
    if (failure === null) continue;
    silent.add(first.sender);
    synced.failures.push({ companyId: first.companyId, reason: failureReason(failure) });
  }
  return synced;
}

function count(synced: Synced, asked: readonly Followed[], news: Awaited<ReturnType<typeof readOrders>>["news"]): void {
  const before = new Map(asked.map((followed) => [followed.invoiceId, followed]));
  for (const { invoiceId, order } of news) {
    synced.checked++;
    if (order === null) synced.missing++;
    else if (order.status !== before.get(invoiceId)?.status) synced.changed++;
  }
}
