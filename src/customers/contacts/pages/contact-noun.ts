import { emailLink, phoneLink } from "../../../kit/web/contact-links.ts";
import { html } from "../../../kit/web/html.ts";
import { dayOf, moment } from "../../../kit/web/language.ts";
import { marked } from "../../../kit/web/mark.ts";
import type { RowByName } from "../../../platform/fields/reader.ts";
import { logLink } from "../../activities/pages/log-link.ts";
import type { ChildNoun } from "../../company-children/pages/noun.ts";
import { contactLanguages } from "../contact-languages.ts";
import { contactLabels, contactWords, menuWords } from "../contact-words.ts";
import { contact } from "../contact.ts";
import { activitiesSection } from "./activities-section.ts";

/** The pages of contacts. */
export const contactNoun: ChildNoun = {
  child: contact,
  labels: contactLabels,
  values: {
    en: { preferred_language: contactLanguages.en },
    ro: { preferred_language: contactLanguages.ro },
  },
  words: contactWords,
  title: ({ first_name: first, last_name: last }: RowByName) => `${first} ${last}`,
  common: new Set([
    "first_name",
    "last_name",
    "email",
    "phone",
    "mobile",
    "position",
    "is_primary",
    "is_accounting",
    "notes",
  ]),
  columns: [
    { name: "position", cell: ({ position, job_title: title }) => position ?? title },
    { name: "phone", cell: ({ phone, mobile }) => phoneLink(mobile ?? phone ?? null) },
    {
      name: "email",
      isWide: true,
      cell: ({ email }, { search }) => emailLink(email ?? null, marked(email ?? null, search)),
    },
    {
      name: "last_contacted_at",
      kind: "date",
      cell: ({ last_contacted_at: at }, { language, timeZone }) =>
        (at ?? null) !== null &&
        html`<time datetime="${at}" title="${moment(language, at ?? "", timeZone)}">${dayOf(language, at ?? "", timeZone)}</time>`,
    },
  ],
  action(row, { back, language }) {
    const companyId = String(row.company_id);
    const name = `${row.first_name} ${row.last_name}`;
    return logLink({ contactId: String(row.id), companyId, name }, back === `/companies/${companyId}`, language);
  },
  sections: activitiesSection(null),
  person: ({ position, job_title: title, phone, mobile, email }, company) => {
    const role = position ?? title ?? null;
    return {
      line: html`<p class="role">${role !== null && html`${role} · `}<a href="/companies/${company.id}">${company.name}</a></p>`,
      phone: mobile ?? phone,
      email,
      shown: new Set(["first_name", "last_name"]),
    };
  },
  // A person's data (src/exchange/personal-data/): a copy for the person, and for admins its end.
  menu(id, { session, language }) {
    const words = menuWords[language];
    return html`<a class="button" href="/contacts/${id}/merge">${words.merge}</a><a class="button" href="/contacts/${id}/export" download>${words.export}</a>
${session.user.role === "admin" && html`<a class="button danger" href="/contacts/${id}/erase">${words.erase}</a><p class="hint">${words.erasing}</p>`}`;
  },
};
