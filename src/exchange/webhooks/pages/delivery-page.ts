import { wholeChanges } from "../../../kit/changes/change-queries.ts";
import type { Deps } from "../../../kit/deps.ts";
import { errors } from "../../../kit/errors.ts";
import { html } from "../../../kit/web/html.ts";
import { icon } from "../../../kit/web/icon.ts";
import { moment } from "../../../kit/web/language.ts";
import { notice } from "../../../kit/web/notice.ts";
import type { Page, PageRequest } from "../../../kit/web/page.ts";
import type { RowByName } from "../../../platform/fields/reader.ts";
import { isId } from "../../../platform/ids.ts";
import { findAnswer, findDelivery, sendAgain } from "../delivery-queries.ts";
import { messageOf } from "../message.ts";
import { eventWords, webhookWords } from "../webhook-words.ts";
import { DELIVERY_MODEL } from "../webhook.ts";
import { lastAnswerOf, deliveryByName, shownDeliveryState, durationOf } from "./delivery-table.ts";
import { webhookOf } from "./webhook-of.ts";

/** GET /webhooks/{id}/deliveries/{delivery}: the request and the response. */
export const deliveryPage: Page = async (deps, request) => {
  const { language, session, actor } = request;
  const webhook = await webhookOf(deps, request);
  const delivery = await deliveryOf(deps, request);
  const words = webhookWords[language];
  const { timeZone } = session.workspace;
  const { change_id: changeId = null, test_id: testId = null, type, delivered_at: deliveredAt = null } = delivery;
  const [change = null] = changeId === null ? [] : await wholeChanges(actor.tenant, deps.database, [changeId]);
  const answer = await findAnswer(actor.tenant, deps, String(webhook.id), String(delivery.id));
  const message = await messageOf(
    deps,
    actor.tenant,
    { testId, type: type ?? "", change },
    { id: String(webhook.id), isFull: webhook.body === "full" },
  );
  const title = eventWords(language, type ?? "");
  const at = `/webhooks/${webhook.id}`;
  const main = html`<a class="back" href="${at}">${icon("back")}${webhook.url}</a>
<header class="heading"><h1>${title}</h1>${shownDeliveryState(delivery, language, timeZone)}
<form method="post" action="${at}/deliveries/${delivery.id}/redeliver"><button>${words.sendAgain}</button></form></header>
<dl class="facts">
<dt>${words.when}</dt><dd>${moment(language, delivery.created_at ?? "", timeZone)}</dd>
<dt>${words.tries}</dt><dd>${delivery.attempts}</dd>
<dt>${words.answer}</dt><dd>${lastAnswerOf(delivery, language)}</dd>
<dt>${words.took}</dt><dd>${durationOf(delivery, language)}</dd>
${deliveredAt !== null && html`<dt>${words.delivered}</dt><dd>${moment(language, deliveredAt, timeZone)}</dd>`}
</dl>
<section class="section"><header><h2>${words.request}</h2></header>
${
  message === null
    ? html`<p>${lastAnswerOf({ last_error: "lost" }, language)}</p>`
    : html`<pre tabindex="0">POST ${webhook.url}
content-type: application/json
user-agent: Liaison
webhook-id: ${message.id}
webhook-timestamp: …
webhook-signature: v1,…

${JSON.stringify(JSON.parse(message.body), null, 2)}</pre>`
}</section>
${
  answer !== null &&
  html`<section class="section"><header><h2>${words.receiverAnswer}</h2></header>
<pre tabindex="0">${delivery.last_status}
${answer.headers.map(([name, value]) => `${name}: ${value}`).join("\n")}

${answer.body}</pre></section>`
}`;
  return { title, area: "webhooks", main };
};

/** POST /webhooks/{id}/deliveries/{delivery}/redeliver */
export const redeliverPage: Page = async (deps, request) => {
  const { id } = await webhookOf(deps, request);
  const delivery = await deliveryOf(deps, request);
  const row = await sendAgain(request.actor.tenant, deps.database, String(id), String(delivery.id));
  return { to: `/webhooks/${id}`, notice: notice(row === null ? "webhook-off" : "webhook-sent-again") };
};

async function deliveryOf(deps: Deps, request: PageRequest): Promise<RowByName> {
  const { id: webhookId = "", delivery: id = "" } = request.params;
  const row = isId(id) ? await findDelivery(request.actor.tenant, deps.database, webhookId, id) : null;
  if (row === null) throw errors.resourceMissing(DELIVERY_MODEL, id);
  return deliveryByName(deps, request, row);
}
