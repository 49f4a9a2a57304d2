import { html, type Html } from "../../../kit/web/html.ts";
import type { Language } from "../../../kit/web/language.ts";
import { activityWords } from "../activity-words.ts";

/** The element of a company's page with the form for an activity. */
const LOG = "log";

/**
 * A file of its own: its words are those of activities, and its place is a row of contacts.
 * A link in a contact's row to the form on the company's page, with the contact chosen.
 * @param isThere whether the row is on that page
 */
export function logLink(
  { contactId, companyId, name }: { contactId: string; companyId: string; name: string },
  isThere: boolean,
  language: Language,
): Html {
  return html`<a class="button" href="/companies/${companyId}?with=${contactId}#${LOG}"${isThere && html` data-swap="${LOG}" data-focus="note"`}>${activityWords[language].log}<span class="hidden"> ${name}</span></a>`;
}
