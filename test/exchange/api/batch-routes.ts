import type { EveryRoute } from "../../doors/api/route-row.ts";

/** Items by the area that they are of. */
const items = {
  companies: { name: "A" },
  contacts: { id: 7, first_name: "Ana" },
  addresses: { id: 7, city: "Turda" },
  invoices: { id: 7, number: "A" },
  payments: { invoice_id: 7, amount: "1" },
};

/** The routes that write many at once (every-route.ts). */
export const batchRoutes: readonly EveryRoute[] = Object.entries(items).map(([area, item]) => ({
  method: "POST",
  path: `/api/v1/${area}/batch`,
  capability: `${area}:write`,
  on: "none",
  models: [],
  body: { passes: { items: [item] }, fails: { items: [] } },
  status: 200,
}));
