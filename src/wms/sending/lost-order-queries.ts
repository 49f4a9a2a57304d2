import type { Database } from "../../platform/postgres/database.ts";
import type { Statement } from "../../platform/postgres/statement.ts";

const lookUpStatement: Statement = {
  name: "look_up_orders",
  text: "update tenants set orders_lost_at = now()",
};

/**
 * Has every tenant's invoices that are there by now looked up in their warehouses before they are sent: orders may have been made of them that this
 * database has lost.
 */
export async function lookUpOrders(database: Database): Promise<void> {
  await database.owner([{ statement: lookUpStatement, parameters: [] }]);
}
