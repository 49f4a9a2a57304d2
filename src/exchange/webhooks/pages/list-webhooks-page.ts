import type { Deps } from "../../../kit/deps.ts";
import { shortList } from "../../../kit/tables/short-list.ts";
import { emptyState } from "../../../kit/web/empty-state.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import type { Page, PageRequest } from "../../../kit/web/page.ts";
import type { RowByName } from "../../../platform/fields/reader.ts";
import { parsePage } from "../../../platform/http/lists/pagination.ts";
import { listWebhooks, listWebhooksInNeed } from "../webhook-queries.ts";
import { typesIn, webhookWords } from "../webhook-words.ts";
import { webhookByName, shownWebhookState } from "./webhook-of.ts";

/** GET /webhooks (docs/web.md 13). */
export const listWebhooksPage: Page = async (deps, request) => {
  const { actor, language, query, session } = request;
  const words = webhookWords[language];
  const page = parsePage(query);
  const { rows, total } = await listWebhooks(actor.tenant, deps.database, page);
  const { timeZone } = session.workspace;
  const add = { href: "/webhooks/new", label: words.new };
  return shortList<RowByName>(request, {
    area: "webhooks",
    title: words.title,
    add,
    about: html`<p>${words.about}</p>`,
    rows: rows.map((row) => webhookByName(deps, request, row)),
    paged: { total, page },
    columns: [
      ["name", words.labels.url, ({ url }) => url, { href: ({ id }) => `/webhooks/${id}` }],
      ["text", words.labels.description, ({ description }) => description],
      ["text", words.labels.types, ({ types }) => typesIn(language, types ?? "")],
      ["text", words.state, (webhook) => shownWebhookState(webhook, language, timeZone)],
    ],
    empty: emptyState("webhooks", words.empty, [add, { href: "/docs/guides/webhooks", label: words.guide }]),
  });
};

/** A line for each webhook that needs attention. Only admins see them, because only admins can act on them. */
export async function webhooksInNeed(deps: Deps, request: PageRequest): Promise<Html[]> {
  const { actor, session, language } = request;
  if (session.user.role !== "admin") return [];
  const words = webhookWords[language];
  const rows = await listWebhooksInNeed(actor.tenant, deps.database);
  return rows.map((row) => {
    const { id, url, switched_off: why } = webhookByName(deps, request, row);
    return html`<p>${words.inNeed(url ?? "", why !== null)} <a href="/webhooks/${id}">${words.look}</a></p>`;
  });
}
