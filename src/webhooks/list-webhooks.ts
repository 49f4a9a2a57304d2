import { ok, type Endpoint } from "../endpoint.ts";
import { pageBody, parsePage } from "../platform/http/lists/pagination.ts";
import { webhookJson } from "./webhook-json.ts";
import { listWebhooks } from "./webhook-queries.ts";

/** Maximum memory of a webhook in a list: a URL and its types. */
const WEBHOOK_BYTES = 16 * 1024;

/** GET /api/v1/webhooks (docs/contract.md 19.1). */
export const listWebhooksEndpoint: Endpoint = async ({ database, keyring }, request) => {
  const { tenant } = request.actor;
  const page = parsePage(request.query);
  await request.reserve(page.perPage * WEBHOOK_BYTES);
  const { rows, total } = await listWebhooks(tenant, database, page);
  const items = rows.map((row) => webhookJson(row, { keyring, tenant }));
  return ok(pageBody({ items, count: rows.length, total, page, path: request.url(), query: request.query }));
};
