import type { Deps } from "../../deps.ts";
import { html, type Html } from "../../web/html.ts";
import type { PageRequest } from "../../web/page.ts";
import { listWebhooksInNeed } from "../webhook-queries.ts";
import { webhookWords } from "../webhook-words.ts";
import { webhookByName } from "./webhook-of.ts";

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
