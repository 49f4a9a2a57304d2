import { html } from "../../../kit/web/html.ts";
import type { Page, PageRequest, Shown } from "../../../kit/web/page.ts";
import type { FieldErrors } from "../../../platform/fields/field-reasons.ts";
import { webhookWords } from "../webhook-words.ts";
import { EVERY_TYPE } from "../webhook.ts";
import { createWebhook } from "../write-webhook.ts";
import { secretPage } from "./secret-page.ts";
import { inputOf, webhookForm } from "./webhook-form.ts";

/** GET /webhooks/new */
export const newWebhookPage: Page = async (_deps, request) => page(request, null);

/** POST /webhooks: shows the new webhook's secret, only this once. */
export const createWebhookPage: Page = async (deps, request) => {
  const written = await createWebhook(deps, request.actor, inputOf(request.form));
  if (written.outcome === "invalid") return page(request, written.messages);
  return secretPage(String(written.row[0]), written.secret, request);
};

function page({ form, language }: PageRequest, errors: FieldErrors | null): Shown {
  const words = webhookWords[language];
  const isFirst = errors === null;
  const values = {
    url: form.get("url"),
    description: form.get("description"),
    body: form.get("body"),
    children: form.get("children"),
    active: form.get("active") ?? "1",
  };
  const filled = { values, types: isFirst ? [EVERY_TYPE] : form.all("types"), errors, version: null };
  const main = html`<header class="heading"><h1>${words.new}</h1></header>
${webhookForm(filled, { action: "/webhooks", submit: words.create, back: "/webhooks" }, language)}`;
  return { status: isFirst ? 200 : 422, title: words.new, area: "webhooks", main };
}
