import { quickQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Selected } from "../../platform/postgres/statement.ts";

const order = selectList({
  instance: "i.wms_instance",
  orderId: column.numberOrNull("i.wms_order_id"),
  orderNumber: "i.wms_order_number",
  /** The differences of the last change of its status, up to the change of the event. */
  statusChanged: `(select h.changed from changes h
    where h.tenant_id = $1 and h.type = 'invoice' and h.resource_id = i.id and (h.at, h.id) <= ($3::timestamptz, $4::bigint)
      and h.changed like '%"wms_status":%'
    order by h.at desc, h.id desc limit 1)`,
});

/** The order of an invoice as it is now, except for its status, which is that at a change. */
export type OrderNow = Selected<typeof order>;

/** The order of the invoice of a change; null if the invoice no longer exists. */
export const findOrderNow = quickQuery<[invoiceId: string, at: string, changeId: string]>(
  "find_order_now",
  `select ${order.sql} from invoices i where i.tenant_id = $1 and i.id = $2`,
).first(order.read);
