import type { Deps } from "../../deps.ts";
import { membersReader, type RowByName } from "../../platform/fields/reader.ts";
import type { Row } from "../../platform/postgres/statement.ts";
import { html, type Html } from "../../web/html.ts";
import { labelledCell } from "../../web/labelled-cell.ts";
import { moment, momentAhead, wholeNumber, type Language } from "../../web/language.ts";
import type { PageRequest } from "../../web/page.ts";
import { state } from "../../web/state.ts";
import { deliveryMembers } from "../delivery-json.ts";
import { failureSentences, type DeliveryFailure } from "../failure.ts";
import { eventWords, webhookWords } from "../webhook-words.ts";

const read = membersReader([
  ...deliveryMembers,
  { name: "last_ms", kind: "number" },
  { name: "test_id", kind: "string" },
]);

/** A listed delivery by member name. */
export function deliveryByName({ keyring }: Pick<Deps, "keyring">, { actor }: PageRequest, row: Row): RowByName {
  return read(row, { keyring, tenant: actor.tenant });
}

/** A webhook's deliveries as rows that link to each delivery. */
export function deliveryTable(
  deliveries: readonly RowByName[],
  webhookId: string,
  { language, session }: PageRequest,
): Html {
  const words = webhookWords[language];
  const { timeZone } = session.workspace;
  const heads = [words.event, words.state, words.answer];
  return html`<table class="list"><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}
<th scope="col" class="number">${words.took}</th><th scope="col" class="number">${words.tries}</th><th scope="col">${words.when}</th></tr></thead>
<tbody>${deliveries.map(
    (delivery) => html`<tr>
<td class="name"><a href="/webhooks/${webhookId}/deliveries/${delivery.id}">${eventWords(language, delivery.type ?? "")}</a></td>
<td>${shownDeliveryState(delivery, language, timeZone)}</td>
<td>${lastAnswerOf(delivery, language)}</td>
${labelledCell(words.took, tookOf(delivery, language), "number")}
${labelledCell(words.tries, wholeNumber(language, Number(delivery.attempts)), "number")}
${labelledCell(words.when, moment(language, delivery.created_at ?? "", timeZone), "date")}
</tr>`,
  )}</tbody></table>`;
}

export function shownDeliveryState(delivery: RowByName, language: Language, timeZone: string): Html {
  const words = webhookWords[language];
  const { delivered_at: deliveredAt, next_at: nextAt = null, attempts } = delivery;
  if (deliveredAt !== null) return state("good", words.delivered);
  if (nextAt === null) return state("wrong", words.givenUp);
  const again =
    attempts !== "0" && html` <span class="muted">${words.again} ${momentAhead(language, nextAt, timeZone)}</span>`;
  return html`${state("waiting", words.waiting)}${again}`;
}

/** The last response, or the reason why there was none. */
export function lastAnswerOf({ last_status: status = null, last_error: error }: RowByName, language: Language): string {
  return error === null || error === undefined
    ? (status ?? "")
    : failureSentences[language][error as DeliveryFailure](status ?? "");
}

export function tookOf({ last_ms: ms = null }: RowByName, language: Language): string {
  return ms === null ? "" : webhookWords[language].ms(wholeNumber(language, Number(ms)));
}
