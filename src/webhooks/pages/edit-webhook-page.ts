import { errors } from "../../errors.ts";
import type { RowByName } from "../../platform/fields/reader.ts";
import type { FieldErrors } from "../../platform/fields/validation.ts";
import { html } from "../../web/html.ts";
import { notice } from "../../web/notice.ts";
import type { Page, PageRequest, Shown } from "../../web/page.ts";
import { shellWords } from "../../web/shell-words.ts";
import { webhookWords } from "../webhook-words.ts";
import { MODEL, typesOf } from "../webhook.ts";
import { updateWebhook } from "../write-webhook.ts";
import { inputOf, webhookForm } from "./webhook-form.ts";
import { webhookOf } from "./webhook-of.ts";

/** GET /webhooks/{id}/edit */
export const editWebhookPage: Page = async (deps, request) => {
  const webhook = await webhookOf(deps, request);
  return page(request, webhook, { values: webhook, types: typesOf(webhook.types ?? "[]"), errors: null });
};

/** POST /webhooks/{id} */
export const updateWebhookPage: Page = async (deps, request) => {
  const webhook = await webhookOf(deps, request);
  const { form, actor } = request;
  const id = String(webhook.id);
  const written = await updateWebhook(deps, actor, id, inputOf(form));
  if (written.outcome === "written") return { to: `/webhooks/${id}`, notice: notice("webhook-saved") };
  if (written.outcome !== "invalid") throw errors.resourceMissing(MODEL, id);
  const values = { ...webhook, ...(form.input(["url", "description", "active"]) as RowByName) };
  return page(request, webhook, { values, types: form.all("types"), errors: written.messages });
};

type Filled = { values: RowByName; types: readonly string[]; errors: FieldErrors | null };

function page({ language }: PageRequest, webhook: RowByName, filled: Filled): Shown {
  const words = webhookWords[language];
  const [title, at] = [shellWords[language].editTitle(webhook.url ?? ""), `/webhooks/${webhook.id}`];
  const main = html`<header class="heading"><h1>${title}</h1></header>
${webhookForm(filled, { action: at, submit: shellWords[language].save, back: at }, language)}`;
  return { status: filled.errors === null ? 200 : 422, title: words.title, area: "webhooks", main };
}
