import { errors } from "../../../kit/errors.ts";
import { html } from "../../../kit/web/html.ts";
import { notice } from "../../../kit/web/notice.ts";
import type { Page, PageRequest, Shown } from "../../../kit/web/page.ts";
import { shellWords } from "../../../kit/web/shell-words.ts";
import { parseTimestamp } from "../../../platform/dates.ts";
import type { RowByName } from "../../../platform/fields/reader.ts";
import { webhookWords } from "../webhook-words.ts";
import { MODEL, typesOf } from "../webhook.ts";
import { updateWebhook } from "../write-webhook.ts";
import { inputOf, webhookForm, type FilledWebhook } from "./webhook-form.ts";
import { webhookOf } from "./webhook-of.ts";

/** GET /webhooks/{id}/edit */
export const editWebhookPage: Page = async (deps, request) => {
  const webhook = await webhookOf(deps, request);
  const { updated_at: version = null, types } = webhook;
  return page(request, webhook, { status: 200, values: webhook, types: typesOf(types ?? "[]"), errors: null, version });
};

/** POST /webhooks/{id}. Changes that were stored since the form was opened cause a conflict. */
export const updateWebhookPage: Page = async (deps, request) => {
  const { form, actor, params } = request;
  const id = params.id ?? "";
  await webhookOf(deps, request);
  const version = parseTimestamp(form.get("version") ?? "");
  const written = await updateWebhook(deps, actor, id, inputOf(form), version === null ? null : [version]);
  if (written.outcome === "written") return { to: `/webhooks/${id}`, notice: notice("webhook-saved") };
  if (written.outcome === "missing") throw errors.resourceMissing(MODEL, id);
  const webhook = await webhookOf(deps, request);
  const values = { ...webhook, ...(form.input(["url", "description", "body", "children", "active"]) as RowByName) };
  const typed = { values, types: form.all("types") };
  if (written.outcome === "invalid")
    return page(request, webhook, { ...typed, status: 422, errors: written.messages, version });
  return page(request, webhook, { ...typed, status: 409, errors: null, version: webhook.updated_at ?? null });
};

function page(
  { language }: PageRequest,
  webhook: RowByName,
  { status, ...filled }: FilledWebhook & { status: 200 | 409 | 422 },
): Shown {
  const words = webhookWords[language];
  const [title, at] = [shellWords[language].editTitle(webhook.url ?? ""), `/webhooks/${webhook.id}`];
  const stored = webhook.active === "true" ? words.isActive : words.isOff;
  const main = html`<header class="heading"><h1>${title}</h1></header>
${status === 409 && html`<div class="error-summary" role="alert"><p>${words.changedMeanwhile(webhook.url ?? "", stored)}</p></div>`}
${webhookForm(filled, { action: at, submit: shellWords[language].save, back: at }, language)}`;
  return { status, title: words.title, area: "webhooks", main };
}
