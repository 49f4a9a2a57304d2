import type { Kept, ShownOrder } from "./ledger.ts";

const STATUSES = ["new", "picking", "packed", "shipped"];
/** How much earlier an unchanged order was changed, in an answer that is old on request. */
const EARLIER_MS = 60_000;

/**
 * An order as the contract shows it now.
 * @param progressMs between two statuses; null: they stay
 * @param isStale as it was before its last change
 */
export function showOrder(order: Kept, now: number, progressMs: number | null, isStale = false): ShownOrder {
  const { status, changed } = isStale ? before(order, now, progressMs) : state(order, now, progressMs);
  return {
    order_id: order.id,
    order_number: `WO-${order.id}`,
    status,
    external_order_id: order.sent.external_order_id ?? null,
    external_source: order.sent.external_source ?? null,
    invoice_reference: order.sent.invoice_reference ?? null,
    client_cui: order.sent.client_cui ?? null,
    total: order.sent.total ?? null,
    created_at: new Date(order.created).toISOString(),
    updated_at: new Date(changed).toISOString(),
  };
}

function state(order: Kept, now: number, progressMs: number | null): { status: string; changed: number } {
  if (order.status !== null) return { status: order.status, changed: order.changed };
  const steps = progressMs === null ? 0 : Math.floor((now - order.created) / progressMs);
  const step = Math.min(steps, STATUSES.length - 1);
  return { status: STATUSES[step] ?? "new", changed: order.created + step * (progressMs ?? 0) };
}

function before(order: Kept, now: number, progressMs: number | null): { status: string; changed: number } {
  const { status, changed } = state(order, now, progressMs);
  const step = Math.max(STATUSES.indexOf(status) - 1, 0);
  return { status: STATUSES[step] ?? "new", changed: changed - (progressMs ?? EARLIER_MS) };
}
