import type { Deps } from "../../../kit/deps.ts";
import { found } from "../../../kit/endpoint.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import { moment, type Language } from "../../../kit/web/language.ts";
import type { PageRequest } from "../../../kit/web/page.ts";
import { state } from "../../../kit/web/state.ts";
import { membersReader, type RowByName } from "../../../platform/fields/reader.ts";
import type { Row } from "../../../platform/postgres/statement.ts";
import { webhookColumns } from "../webhook-json.ts";
import { findWebhook } from "../webhook-queries.ts";
import { webhookWords } from "../webhook-words.ts";
import { MODEL } from "../webhook.ts";

const read = membersReader(webhookColumns);

/** A webhook's row by member name. */
export function webhookByName({ keyring }: Pick<Deps, "keyring">, { actor }: PageRequest, row: Row): RowByName {
  return read(row, { keyring, tenant: actor.tenant });
}

/** The webhook that the path names. Throws resourceMissing. */
export async function webhookOf(deps: Deps, request: PageRequest): Promise<RowByName> {
  const find = async (id: string) => await findWebhook(request.actor.tenant, deps.database, id);
  return webhookByName(deps, request, await found(MODEL, request, find));
}

/** The state of a webhook as a coloured word. */
export function shownWebhookState(webhook: RowByName, language: Language, timeZone: string): Html {
  const words = webhookWords[language];
  const { active, failing_since: since = null, switched_off: why } = webhook;
  if (active !== "true") return state(why === null ? "neutral" : "wrong", words.isOff);
  if (since === null) return state("good", words.isActive);
  return html`${state("attention", words.isFailing(moment(language, since, timeZone)))}`;
}
