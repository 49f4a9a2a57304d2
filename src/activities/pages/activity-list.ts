import { writerIn } from "../../changes/change-words.ts";
import { isoTimestamp } from "../../platform/dates.ts";
import { html, type Html } from "../../web/html.ts";
import { moment, type Language } from "../../web/language.ts";
import type { Activity } from "../activity-queries.ts";
import { activityWords } from "../activity-words.ts";

/** An activity among what happened: when, who, and what was said; also with whom, where it is of a whole company. */
export function activityLine(
  { kind, at, note, changedBy, writerName, contact }: Activity,
  { language, timeZone, withContact }: { language: Language; timeZone: string; withContact: boolean },
): Html {
  const { kinds } = activityWords[language];
  return html`<li><time datetime="${isoTimestamp(at)}">${moment(language, at, timeZone)}</time>
<span><strong>${writerIn(language, changedBy, writerName)}</strong> ${kinds[kind as keyof typeof kinds]}
${withContact && (contact.isLive ? html`<a href="/contacts/${contact.id}">${contact.name}</a>` : contact.name)}
${note !== null && html`<span class="said">${note}</span>`}</span></li>`;
}
