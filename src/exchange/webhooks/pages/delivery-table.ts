import type { Deps } from "../../../kit/deps.ts";
import { rowTable } from "../../../kit/tables/rows.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import { moment, momentAhead, wholeNumber, type Language } from "../../../kit/web/language.ts";
import type { PageRequest } from "../../../kit/web/page.ts";
import { state } from "../../../kit/web/state.ts";
import { membersReader, type RowByName } from "../../../platform/fields/reader.ts";
import type { Row } from "../../../platform/postgres/statement.ts";
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
  const href = ({ id }: RowByName) => `/webhooks/${webhookId}/deliveries/${id}`;
  return rowTable(deliveries, [
    ["name", words.event, ({ type }) => eventWords(language, type ?? ""), { href }],
    ["text", words.state, (delivery) => shownDeliveryState(delivery, language, timeZone)],
    ["text", words.answer, (delivery) => lastAnswerOf(delivery, language)],
    ["number", words.took, (delivery) => durationOf(delivery, language)],
    ["number", words.tries, ({ attempts }) => wholeNumber(language, Number(attempts))],
    ["date", words.when, ({ created_at: at }) => moment(language, at ?? "", timeZone)],
  ]);
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

export function durationOf({ last_ms: ms = null }: RowByName, language: Language): string {
  return ms === null ? "" : webhookWords[language].ms(wholeNumber(language, Number(ms)));
}
