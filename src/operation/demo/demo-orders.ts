import type { SendReason } from "../../orders/invoices/wms-error.ts";
import type { Input } from "../../platform/fields/fields.ts";

/**
 * Invoices of the demo in those states of docs/web.md 9 that its other invoices do not have. They belong to the firm at
 * this index of `demoCompanies`, and to the simulated warehouse.
 */
export const ORDERS_OF = 1;
const INSTANCE = "nord.localhost";

/** An invoice and its state. `state` and `error` are stored in it; `isGone`: the warehouse has lost the order. */
export type DemoOrder = { invoice: Input & { number: string }; state?: string; error?: SendReason; isGone?: true };

export const demoOrders: readonly DemoOrder[] = [
  {
    invoice: invoice(1, "412.00"),
    state: "failed",
    error: { code: "refused", words: "SKU FLR-650 is not stocked here." },
  },
  { invoice: invoice(2, "980.50"), state: "queued", error: { code: "throttled" } },
  { invoice: invoice(3, "1545.00"), state: "sending" },
  {
    invoice: invoice(4, "230.10"),
    state: "unknown",
    error: { code: "unknown" },
  },
  { invoice: { ...invoice(5, "3120.00"), ...order(40_005, "cancelled") } },
  { invoice: { ...invoice(6, "765.00"), ...order(40_006, "picking") }, isGone: true },
  { invoice: { ...invoice(7, "1890.00"), ...order(40_007, "packed"), wms_instance: "sud.depozit.example" } },
  { invoice: invoice(8, "640.00") },
  // Its goods go on.
  { invoice: { ...invoice(9, "640.00"), ...order(40_009, "picking"), status: "cancelled" } },
];

function invoice(place: number, total: string): Input & { number: string } {
  const day = String(10 + place).padStart(2, "0");
  const lines = [{ sku: "FLR-650", description: "Flour, type 650, 25 kg", quantity: "10", unit_price: "64.00" }];
  const dates = { issued_on: `2026-11-${day}`, due_on: `2026-12-${day}` };
  return {
    number: `DMO-2026-02${String(place).padStart(2, "0")}`,
    ...dates,
    total,
    currency: "RON",
    status: "issued",
    lines,
  };
}

function order(id: number, status: string): Input {
  return { wms_instance: INSTANCE, wms_order_id: id, wms_order_number: `WO-${id}`, wms_status: status };
}
