import type { OrderNow } from "./order-queries.ts";

/** The events of a warehouse order, and when each happens. Only webhooks have them (docs/contract.md 19.6). */
export const orderEventMeanings = {
  "invoice.order_created": "The invoice got its order in a warehouse: Liaison created it, or a file brought it.",
  "invoice.order_moved": "The warehouse changed the status of the order, and the new one is not final.",
  "invoice.order_final": "The order reached a final status, for example `shipped`.",
  "invoice.order_cancelled": "The warehouse cancelled the order.",
  "invoice.order_lost": "The warehouse no longer has the order.",
} as const;

export type OrderEvent = keyof typeof orderEventMeanings;
export const orderEvents = Object.keys(orderEventMeanings) as OrderEvent[];

export function isOrderEvent(type: string | null): type is OrderEvent {
  return type !== null && Object.hasOwn(orderEventMeanings, type);
}

const CANCELLED = new Set(["cancelled", "canceled"]);

type Differences = Record<string, { from: unknown; to: unknown } | undefined>;

/**
 * The order event in a change of an invoice; null without one. A change has at most one.
 * @param finalStatuses in lower case
 */
export function orderEventIn(
  { type, changed }: { type: string; changed: string | null },
  finalStatuses: readonly string[],
): OrderEvent | null {
  if (type !== "invoice" || !String(changed).includes('"wms_')) return null;
  const { wms_order_id: order, wms_gone_at: gone, wms_status: status } = differencesIn(changed);
  if (order !== undefined) return order.to === null ? null : "invoice.order_created";
  if (gone !== undefined && gone.to !== null) return "invoice.order_lost";
  if (status === undefined) return null;
  const to = String(status.to).toLowerCase();
  if (CANCELLED.has(to)) return "invoice.order_cancelled";
  return finalStatuses.includes(to) ? "invoice.order_final" : "invoice.order_moved";
}

/**
 * The member `order` of an order event. What the change set has its value after the change; the rest has its present
 * value.
 */
export function orderAfter(changed: string | null, now: OrderNow | null): object {
  const {
    wms_instance: instance,
    wms_order_id: id,
    wms_order_number: number,
    wms_status: status,
  } = differencesIn(changed);
  const present = differencesIn(now?.statusChanged ?? null).wms_status?.to ?? null;
  return {
    instance: instance?.to ?? now?.instance ?? null,
    order_id: id?.to ?? now?.orderId ?? null,
    order_number: number?.to ?? now?.orderNumber ?? null,
    status: status === undefined ? present : status.to,
    previous: status === undefined ? present : status.from,
  };
}

function differencesIn(changed: string | null): Differences {
  return JSON.parse(changed ?? "{}") as Differences;
}
