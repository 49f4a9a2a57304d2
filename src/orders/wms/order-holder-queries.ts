import { quickQuery } from "../../platform/postgres/query.ts";
import { column, selectList } from "../../platform/postgres/statement.ts";

/** The unique index of the orders that belong to an invoice: those that it was sent or confirmed as. */
export const ORDER_INDEX = "invoices_owning_order";

const holder = selectList({ orderId: column.number("i.wms_order_id"), number: column.text("i.number") });

/** The numbers of the invoices that have orders of an instance, by the order. @param except an invoice's id, or 0 */
export const findHolders = quickQuery<[instance: string, orderIds: readonly number[], except: string]>(
  "find_holders",
  `select ${holder.sql} from invoices i
  where i.tenant_id = $1 and i.wms_instance = $2 and i.wms_order_id = any($3::bigint[]) and i.id <> $4 order by i.id desc`,
).of((rows) => new Map(rows.map(holder.read).map(({ orderId, number }) => [orderId, number])));
