import { onceField } from "../../../kit/web/forms/once.ts";
import { labelledSelect } from "../../../kit/web/forms/select.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import type { Language } from "../../../kit/web/language.ts";
import { messagesIn } from "../../../kit/web/messages.ts";
import { shellWords } from "../../../kit/web/shell-words.ts";
import { nextWorkingDay } from "../../../platform/dates.ts";
import type { FieldErrors } from "../../../platform/fields/field-reasons.ts";
import { activityLabels, activityWords } from "../activity-words.ts";
import { activityKinds } from "../activity.ts";

/** As it was typed, or as it is stored. */
export type ActivityValues = Partial<
  Record<"kind" | "note" | "contact_id" | "at" | "callback_date", string | undefined>
>;

/** A rejected form: its typed values, and the API's errors. */
export type RefusedActivity = { values: ActivityValues; errors: FieldErrors };

export type Composer = {
  action: string;
  /** The company's people, to say with whom; empty if that is known. */
  contacts: readonly { id: string; name: string }[];
  /** The id of the contact that is chosen at first. */
  chosen?: string;
  refused: RefusedActivity | null;
  /** The parts of the page that change with it (assets/swap.js). */
  swaps: string;
  timeZone: string;
  language: Language;
};

/** Writes down what happened just now, or at another time, and when to call again. */
export function composer({ action, contacts, chosen = "", refused, swaps, timeZone, language }: Composer): Html {
  const words = activityWords[language];
  const labels = activityLabels[language];
  const values: ActivityValues = refused?.values ?? {};
  return html`<form class="composer" id="composer" method="post" action="${action}" data-swap="${swaps}">${onceField()}
${activityErrors(refused, language)}
${noteField(values, refused, language)}
<p class="hint" hidden data-written>${words.written} <button type="button" class="link" data-log="email">${words.logIt}</button></p>
<div class="composer-row">${kindChoice(values.kind ?? "note", language)}
${contacts.length > 0 && contactChoice(contacts, values.contact_id ?? chosen, language)}
<label>${labels.callback_date} <input type="date" name="callback_date" value="${values.callback_date}"></label>
<button type="button" hidden data-callback="${nextWorkingDay(timeZone)}" aria-keyshortcuts="b"></button>
<details${(values.at ?? "") !== "" && html` open`}><summary>${words.anotherTime}</summary>${momentField(values.at, language)}</details>
<button class="main">${words.add}</button><a class="button leave" href="#main">${shellWords[language].cancel}</a></div>
</form>`;
}

/** All errors of the typed values. */
export function activityErrors(refused: RefusedActivity | null, language: Language): Html | null {
  const wrong =
    refused === null ? [] : Object.values(messagesIn(language, refused.errors, activityLabels[language])).flat();
  return wrong.length === 0 ? null : html`<p class="error" role="alert">${wrong.join(" ")}</p>`;
}

export function noteField({ note }: ActivityValues, refused: RefusedActivity | null, language: Language): Html {
  return html`<label class="hidden" for="note">${activityLabels[language].note}</label>
<textarea id="note" name="note" rows="2" aria-keyshortcuts="l" placeholder="${activityWords[language].hint}"${refused !== null && html` aria-invalid="true"`}>
${note}</textarea>`;
}

export function kindChoice(chosen: string, language: Language): Html {
  return html`<fieldset class="kinds"><legend class="hidden">${activityLabels[language].kind}</legend>${activityKinds.map(
    (kind) =>
      html`<label><input type="radio" name="kind" value="${kind}"${kind === chosen && html` checked`}>${activityWords[language].kinds[kind]}</label>`,
  )}</fieldset>`;
}

export function contactChoice(contacts: Composer["contacts"], chosen: string, language: Language): Html {
  const nobody = { value: "", label: activityWords[language].nobody };
  const choices = contacts.map(({ id, name }) => ({ value: id, label: name }));
  return labelledSelect(activityLabels[language].contact_id, "contact_id", chosen, [nobody, ...choices]);
}

/** A moment by the clock of the workspace, as browsers write it: `2026-11-22T14:30`. */
export function momentField(value: string | undefined, language: Language): Html {
  return html`<label>${activityLabels[language].at} <input type="datetime-local" name="at" value="${value}"></label>`;
}
