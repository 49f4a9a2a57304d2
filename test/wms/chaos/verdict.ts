import { administer } from "../instance-calls.ts";
import type { SimulatedOrder } from "../warehouse.ts";
import type { Stage } from "./stage.ts";

export type Verdict = {
  /** Invoices of which the warehouses have several orders. */
  dup: number;
  /** Invoices of which the warehouses have no order. */
  lost: number;
  /** Invoices whose link is not their order, or whose order is not as they are, and orders of no invoice. */
  mismatched: number;
  /** Invoices that are not `sent`. */
  unknown: number;
};

type LedgerOrder = SimulatedOrder & { order_number: string; external_source: string };

/** Every invoice beside what the warehouses have. */
export async function judge({ simulator, sql }: Stage, numbers: readonly string[]): Promise<Verdict> {
  const { instances } = (await administer(simulator, "GET", "/ledger")) as {
    instances: Record<string, { orders: LedgerOrder[] }>;
  };
  const orders = new Map<string, string[]>();
  for (const [instance, { orders: ofInstance }] of Object.entries(instances)) {
    for (const { external_source: source, external_order_id: id, order_id, order_number, sent } of ofInstance) {
      const link = `${instance}.localhost ${order_id} ${order_number} ${String(sent.invoice_reference)} ${String(sent.total)}`;
      orders.set(`${source} ${id}`, [...(orders.get(`${source} ${id}`) ?? []), link]);
    }
  }
  const invoices = await sql(
    `select i.number, i.wms_state as state, 'liaison/' || t.slug || ' ' || i.id as pair,
      concat_ws(' ', i.wms_instance, i.wms_order_id, i.wms_order_number, i.number, i.total) as link
    from invoices i join tenants t on t.id = i.tenant_id`,
  );
  const verdict: Verdict = { dup: 0, lost: 0, mismatched: 0, unknown: 0 };
  const written = new Set(invoices.map(({ number }) => String(number)));
  verdict.lost += numbers.filter((number) => !written.has(number)).length;
  for (const { state, pair, link } of invoices) {
    const [order, ...others] = orders.get(String(pair)) ?? [];
    orders.delete(String(pair));
    if (order === undefined) verdict.lost++;
    if (others.length > 0) verdict.dup++;
    if (state !== "sent") verdict.unknown++;
    else if (order !== link) verdict.mismatched++;
  }
  verdict.mismatched += orders.size;
  return verdict;
}
