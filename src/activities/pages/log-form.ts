import type { FieldErrors } from "../../platform/fields/validation.ts";
import { html, type Html } from "../../web/html.ts";
import { icon } from "../../web/icon.ts";
import type { Language } from "../../web/language.ts";
import { messagesIn } from "../../web/messages.ts";
import { activityLabels, activityWords } from "../activity-words.ts";
import { activityKinds } from "../activity.ts";

/** A form that was refused: what was typed, and why, as the API says it. */
export type Refused = { note: string; errors: FieldErrors };

const ICONS = { call: "phone", email: "email", meeting: "users" } as const;

/**
 * Logs an activity in two clicks: one opens this, one says what it was.
 * @param back where to go afterwards, a path of ours
 */
export function logForm(
  { contactId, back, refused }: { contactId: string; back: string; refused: Refused | null },
  language: Language,
): Html {
  const words = activityWords[language];
  const messages = refused && messagesIn(language, refused.errors, activityLabels[language]);
  const wrong = Object.values(messages ?? {}).flat();
  const id = `log-${contactId}`;
  return html`<details class="menu log"${refused !== null && html` open`}><summary class="button">${words.log}</summary>
<form method="post" action="/contacts/${contactId}/activities">
${wrong.length > 0 && html`<p class="error" role="alert">${wrong.join(" ")}</p>`}
<label class="hidden" for="${id}">${activityLabels[language].note}</label>
<textarea id="${id}" name="note" rows="3" placeholder="${words.logHint}"${wrong.length > 0 && html` aria-invalid="true"`}>
${refused?.note}</textarea>
<input type="hidden" name="back" value="${back}">
<p class="actions">${activityKinds.map(
    (kind) => html`<button name="kind" value="${kind}">${icon(ICONS[kind])}${words.kinds[kind]}</button>`,
  )}</p>
</form></details>`;
}
