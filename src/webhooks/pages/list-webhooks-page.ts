import type { RowByName } from "../../platform/fields/reader.ts";
import { parsePage } from "../../platform/http/lists/pagination.ts";
import { emptyState } from "../../web/empty-state.ts";
import { html, type Html } from "../../web/html.ts";
import { icon } from "../../web/icon.ts";
import { textCell } from "../../web/labelled-cell.ts";
import type { Language } from "../../web/language.ts";
import type { Page, PageRequest } from "../../web/page.ts";
import { pageHref, pager } from "../../web/pager.ts";
import { listWebhooks } from "../webhook-queries.ts";
import { typesIn, webhookWords } from "../webhook-words.ts";
import { webhookByName, shownWebhookState } from "./webhook-of.ts";

/** GET /webhooks (docs/web.md 13). */
export const listWebhooksPage: Page = async (deps, request) => {
  const { actor, language, query } = request;
  const words = webhookWords[language];
  const page = parsePage(query);
  const { rows, total } = await listWebhooks(actor.tenant, deps.database, page);
  const webhooks = rows.map((row) => webhookByName(deps, request, row));
  const main = html`<header class="heading">
<h1>${words.title}</h1>
<a class="button main" href="/webhooks/new" aria-keyshortcuts="n">${icon("add")}${words.new}</a>
</header>
<p>${words.about}</p>
${total === 0 ? empty(language) : table(webhooks, request)}
${pager(page, { count: rows.length, total }, pageHref(query), language)}`;
  return { title: words.title, area: "webhooks", main };
};

function empty(language: Language): Html {
  const words = webhookWords[language];
  return emptyState("webhooks", words.empty, [
    { href: "/webhooks/new", label: words.new },
    { href: "/docs/guides/webhooks", label: words.guide },
  ]);
}

function table(webhooks: readonly RowByName[], { language, session }: PageRequest): Html {
  const { labels, state } = webhookWords[language];
  const { timeZone } = session.workspace;
  return html`<table class="list"><thead><tr>${[labels.url, labels.description, labels.types, state].map(
    (name) => html`<th scope="col">${name}</th>`,
  )}</tr></thead>
<tbody>${webhooks.map(
    (webhook) => html`<tr>
<td class="name"><a href="/webhooks/${webhook.id}" title="${webhook.url}">${webhook.url}</a></td>
${textCell(webhook.description)}
${textCell(typesIn(language, webhook.types ?? ""))}
<td>${shownWebhookState(webhook, language, timeZone)}</td>
</tr>`,
  )}</tbody></table>`;
}
