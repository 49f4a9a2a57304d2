import { ordersOf } from "./ledger.ts";
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

/** Every invoice beside what the warehouses have. */
export async function judge(stage: Stage, numbers: readonly string[]): Promise<Verdict> {
  const orders = new Map<string, string[]>();
  for (const { instance, vanished, external_source, external_order_id, ...order } of await ordersOf(stage)) {
    if (vanished) continue;
    const { orderId, order_number: number, sent } = order;
    const link = `${instance}.localhost ${orderId} ${number} ${String(sent.invoice_reference)} ${String(sent.total)}`;
    const pair = `${external_source} ${external_order_id}`;
    orders.set(pair, [...(orders.get(pair) ?? []), link]);
  }
  const invoices = await stage.sql(
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
