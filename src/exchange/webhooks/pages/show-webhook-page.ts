import { errors } from "../../../kit/errors.ts";
import { acts, asking, askingAct, dangers, postAct } from "../../../kit/web/asking.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import { icon } from "../../../kit/web/icon.ts";
import { notice } from "../../../kit/web/notice.ts";
import type { Page, PageRequest } from "../../../kit/web/page.ts";
import { pageHref, pager } from "../../../kit/web/pager.ts";
import { shellWords } from "../../../kit/web/shell-words.ts";
import { changedBy } from "../../../platform/fields/writer.ts";
import { parsePage } from "../../../platform/http/lists/pagination.ts";
import { countDeliveries, insertTest, listDeliveries } from "../delivery-queries.ts";
import { generateTestId } from "../signature.ts";
import { deleteWebhook } from "../webhook-queries.ts";
import { typesIn, webhookWords } from "../webhook-words.ts";
import { MODEL, type SwitchedOff } from "../webhook.ts";
import { rotateSecret } from "../write-webhook.ts";
import { deliveryByName, deliveryTable } from "./delivery-table.ts";
import { secretPage } from "./secret-page.ts";
import { webhookOf, shownWebhookState } from "./webhook-of.ts";

/** GET /webhooks/{id}: a webhook and its deliveries. */
export const showWebhookPage: Page = async (deps, request) => {
  const { actor, language, query, session } = request;
  const webhook = await webhookOf(deps, request);
  const words = webhookWords[language];
  const page = parsePage(query);
  const { rows, total } = await listDeliveries(actor.tenant, deps.database, page, { webhook: webhook.id });
  const deliveries = rows.map((row) => deliveryByName(deps, request, row));
  const why = webhook.switched_off as SwitchedOff | null;
  const main = html`<a class="back" href="/webhooks">${icon("back")}${words.title}</a>
<header class="heading"><h1>${webhook.url}</h1>${shownWebhookState(webhook, language, session.workspace.timeZone)}
<a class="button" href="/webhooks/${webhook.id}/edit" aria-keyshortcuts="e">${icon("edit")}${shellWords[language].edit}</a></header>
${why !== null && html`<p>${words.offBecause[why]} ${words.backOn}</p>`}
<dl class="facts"><dt>${words.labels.types}</dt><dd>${typesIn(language, webhook.types ?? "")}</dd>
${webhook.description !== null && html`<dt>${words.labels.description}</dt><dd>${webhook.description}</dd>`}</dl>
<section class="section" id="deliveries"><header><h2>${words.deliveries}</h2>
<form method="post" action="/webhooks/${webhook.id}/test"><button>${words.sendTest}</button></form></header>
${total === 0 ? html`<p class="empty">${words.none}</p>` : deliveryTable(deliveries, String(webhook.id), request)}
${pager(page, { count: rows.length, total }, pageHref(query), language)}</section>
${actions(String(webhook.id), request)}`;
  const isUnderWay = deliveries.some(({ attempts, next_at: at }) => attempts === "0" && at !== null);
  return { title: webhook.url ?? "", area: "webhooks", main, isUnderWay };
};

function actions(id: string, { language }: PageRequest): Html {
  const words = webhookWords[language];
  return html`${acts([postAct(`/webhooks/${id}/rotate-secret`, words.rotate, words.rotateText)])}
${dangers(language, [askingAct(`/webhooks/${id}/delete`, words.delete, words.deleteHint)])}`;
}

/** POST /webhooks/{id}/test */
export const testWebhookPage: Page = async (deps, request) => {
  const { id } = await webhookOf(deps, request);
  const row = await insertTest(request.actor.tenant, deps.database, String(id), generateTestId());
  return { to: `/webhooks/${id}`, notice: notice(row === null ? "webhook-off" : "webhook-tested") };
};

/** POST /webhooks/{id}/rotate-secret: shows the new secret, only this once. */
export const rotateSecretPage: Page = async (deps, request) => {
  const id = request.params.id ?? "";
  await webhookOf(deps, request);
  const rotated = await rotateSecret(deps, request.actor, id);
  if (rotated.outcome === "written") return secretPage(id, rotated.secret, request);
  if (rotated.outcome === "missing") throw errors.resourceMissing(MODEL, id);
  return { to: `/webhooks/${id}`, notice: notice("webhook-secrets") };
};

/** GET /webhooks/{id}/delete: asks for confirmation. */
export const askToDeleteWebhookPage: Page = async (deps, request) => {
  const webhook = await webhookOf(deps, request);
  const words = webhookWords[request.language];
  const count = await countDeliveries(request.actor.tenant, deps.database, String(webhook.id));
  return asking(request.language, {
    title: words.deleteTitle(webhook.url ?? ""),
    area: "webhooks",
    consequences: [words.deleteText(count)],
    action: `/webhooks/${webhook.id}/delete`,
    submit: words.delete,
    back: `/webhooks/${webhook.id}`,
  });
};

/** POST /webhooks/{id}/delete */
export const deleteWebhookPage: Page = async (deps, request) => {
  const { id } = await webhookOf(deps, request);
  await deleteWebhook(request.actor.tenant, deps.database, String(id), changedBy(request.actor), null);
  return { to: "/webhooks", notice: notice("webhook-deleted") };
};
