import { html, type Html } from "../../../kit/web/html.ts";
import type { Language } from "../../../kit/web/language.ts";
import { companyStatuses } from "../company-words.ts";

/** A company's status as a page shows it. It has no colour of a meaning: a lost company is no error. */
export function companyStatus(status: string, language: Language): Html {
  return html`<span class="status ${status}">${companyStatuses[language][status] ?? status}</span>`;
}
