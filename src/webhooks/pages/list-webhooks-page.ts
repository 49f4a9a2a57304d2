import type { RowByName } from "../../platform/fields/reader.ts";
import { parsePage } from "../../platform/http/lists/pagination.ts";
import { shortList } from "../../tables/short-list.ts";
import { emptyState } from "../../web/empty-state.ts";
import { html } from "../../web/html.ts";
import type { Page } from "../../web/page.ts";
import { listWebhooks } from "../webhook-queries.ts";
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
