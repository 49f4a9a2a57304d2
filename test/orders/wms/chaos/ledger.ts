import { administer } from "../instance-calls.ts";
import type { SimulatedOrder } from "../warehouse.ts";
import type { Stage } from "./stage.ts";

export type LedgerOrder = SimulatedOrder & {
  instance: string;
  orderId: number;
  order_number: string;
  external_source: string;
};

/** Every order of every warehouse, those that it has lost too. */
export async function ordersOf({ simulator }: Stage): Promise<LedgerOrder[]> {
  const { instances } = (await administer(simulator, "GET", "/ledger")) as {
    instances: Record<string, { orders: LedgerOrder[] }>;
  };
  return Object.entries(instances).flatMap(([instance, { orders }]) =>
    orders.map((order) => ({ ...order, instance, orderId: order.order_id })),
  );
}
