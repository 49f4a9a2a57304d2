import { html, type Html } from "../../web/html.ts";
import { icon } from "../../web/icon.ts";
import type { Language } from "../../web/language.ts";
import { activityLabels, activityWords } from "../activity-words.ts";

const ICONS = { call: "phone", email: "email", meeting: "users" } as const;
const KINDS = ["call", "email", "meeting"] as const;

/**
 * Logs an activity right in a list, in two clicks: one opens this, one says what it was.
 * @param back where to go afterwards, a path of ours
 */
export function logForm({ contactId, back }: { contactId: string; back: string }, language: Language): Html {
  const words = activityWords[language];
  const id = `log-${contactId}`;
  return html`<details class="menu log"><summary class="button">${words.log}</summary>
<form method="post" action="/contacts/${contactId}/activities">
<label class="hidden" for="${id}">${activityLabels[language].note}</label>
<textarea id="${id}" name="note" rows="3" placeholder="${words.logHint}"></textarea>
<input type="hidden" name="back" value="${back}">
<p class="actions">${KINDS.map(
    (kind) => html`<button name="kind" value="${kind}">${icon(ICONS[kind])}${words.kinds[kind]}</button>`,
  )}</p>
</form></details>`;
}
