import type { Database } from "../../platform/postgres/database.ts";
import { column, selectList, type Statement } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";

/** The unique index of the orders that belong to an invoice: those that it was sent or confirmed as. */
export const ORDER_INDEX = "invoices_owning_order";

const holder = selectList({ orderId: column.number("i.wms_order_id"), number: column.text("i.number") });

const holdersStatement: Statement = {
  name: "find_holders",
  text: `select ${holder.sql} from invoices i
  where i.tenant_id = $1 and i.wms_order_id = any($2::bigint[]) and i.wms_instance = $3 order by i.id desc`,
};

/** The numbers of the invoices that have orders of an instance, by the order. */
export async function findHolders(
  tenant: TenantId,
  database: Database,
  instance: string,
  orderIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const rows = await database.quick.read(tenant, holdersStatement, [orderIds, instance]);
  return new Map(rows.map(holder.read).map(({ orderId, number }) => [orderId, number]));
}
