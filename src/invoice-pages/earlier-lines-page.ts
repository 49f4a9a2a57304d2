import { listEarlierLines } from "../invoices/new-invoice-queries.ts";
import { writtenNumber } from "../web/assets/numbers.js";
import type { Page } from "../web/page.ts";

/** GET /invoices/earlier-lines: the workspace's earlier lines by their SKU, from which assets/lines.js completes. */
export const earlierLinesPage: Page = async ({ database }, { actor, language }) => {
  const lines = await listEarlierLines(actor.tenant, database);
  const shown = lines.map(({ sku, description, unit_price: price }) => [
    sku,
    description,
    writtenNumber(price, language),
  ]);
  return { file: "earlier-lines.json", contentType: "application/json", body: JSON.stringify(shown) };
};
