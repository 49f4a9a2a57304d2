import type { Order, Pair } from "../../../kit/warehouse/warehouse-client.ts";
import { html, type Content, type Html } from "../../../kit/web/html.ts";
import { decimal, type Language } from "../../../kit/web/language.ts";
import { state, type Meaning } from "../../../kit/web/state.ts";
import { orderStatusWord } from "../../invoices/order-words.ts";
import { sendReasonIn } from "../../invoices/wms-error.ts";
import type { Candidate } from "../confirming/reconfirm.ts";
import type { Grade } from "../confirming/weigh-evidence.ts";
import { reconfirmWords } from "./reconfirm-words.ts";

const MEANINGS: Readonly<Record<Grade, Meaning>> = {
  exact: "good",
  strong: "good",
  ambiguous: "attention",
  none: "neutral",
};

/** A grade as a page shows it. */
export function gradeState(grade: Grade, language: Language): Html {
  return state(MEANINGS[grade], reconfirmWords[language].grades[grade]);
}

/** A link beside the order of the warehouse, or why there is nothing to compare. @param pair that of the invoice */
export function comparison({ link, evidence }: Candidate, pair: Pair, language: Language): Html {
  const words = reconfirmWords[language];
  const { order, agrees, others, heldBy, failure } = evidence;
  if (failure !== null) return html`<p class="trouble">${words.silent(sendReasonIn(language, failure))}</p>`;
  const statusIn = (status: string | null) => status && orderStatusWord(status, language);
  const ids = others.map(({ orderId }) => orderId).join(", ");
  const compared = (label: string, ours: string | null, theirs: string | null, isSame: boolean) =>
    row(label, ours, html`${theirs} ${verdict(theirs, isSame, language)}`);
  return html`<table><thead><tr><td></td><th scope="col">${words.ours}</th><th scope="col">${words.theirs}</th></tr></thead><tbody>
${row(words.orderId, String(link.orderId), order?.orderId)}
${compared(words.number, link.number, order?.invoiceReference ?? null, agrees.number)}
${compared(words.fiscalId, link.taxId, order?.clientCui ?? null, agrees.fiscalId)}
${compared(words.total, amountOf(link.total, language), amountOf(order?.total ?? null, language), agrees.total)}
${row(words.status, statusIn(link.status), statusIn(order?.status ?? null))}
${compared(words.pair, pairText(pair), order === null ? null : pairText(order), agrees.pair)}
</tbody></table>
${order === null && html`<p>${words.missing}</p>`}${heldBy !== null && html`<p class="trouble">${words.held(heldBy)}</p>`}${ids !== "" && html`<p>${words.others(ids)}</p>`}`;
}

function row(label: string, ours: string | null, theirs: Content): Html {
  return html`<tr><th scope="row">${label}</th><td>${ours}</td><td>${theirs}</td></tr>`;
}

/** A warehouse that does not show a value may still have found its order by it. */
function verdict(theirs: string | null, isSame: boolean, language: Language): Html | null {
  const words = reconfirmWords[language];
  if (isSame) return state("good", words.agrees);
  return theirs === null ? null : state("attention", words.differs);
}

/** A warehouse's total may be any text. */
function amountOf(total: string | null, language: Language): string | null {
  return total !== null && /^-?\d{1,15}(\.\d{1,6})?$/.test(total) ? decimal(language, total) : total;
}

function pairText({ externalSource, externalOrderId }: Order | Pair): string | null {
  const parts = [externalSource, externalOrderId].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(" / ");
}
