import type {
  WarehouseFailure,
  FoundOrders,
  WarehouseAccess,
  WarehouseClient,
} from "../../kit/warehouse/warehouse-client.ts";
import { bareFiscalId, type FiscalIds } from "./same-invoice.ts";

/**
 * Searches a warehouse for the orders of an invoice's number, with each spelling of its company's fiscal id, because a
 * warehouse may compare exact texts. Without a fiscal id, no call is made and nothing is found.
 */
export async function findByNumber(
  warehouse: WarehouseClient,
  access: WarehouseAccess,
  { number, taxId, mergedTaxIds = [] }: { number: string } & FiscalIds,
): Promise<FoundOrders | WarehouseFailure> {
  const spellings = new Set<string>();
  for (const one of [taxId ?? "", ...mergedTaxIds]) {
    const bare = bareFiscalId(one);
    if (bare !== "") [one, bare, `RO${bare}`].forEach((spelling) => spellings.add(spelling));
  }
  const orders: FoundOrders["orders"] = [];
  const answers = await Promise.all(
    [...spellings].map((clientCui) =>
      warehouse.findByNumberAndFiscalId(access, { invoiceReference: number, clientCui }),
    ),
  );
  for (const answer of answers) {
    if (answer.outcome !== "found") return answer;
    orders.push(...answer.orders);
  }
  return { outcome: "found", orders: [...new Map(orders.map((order) => [order.orderId, order])).values()] };
}
