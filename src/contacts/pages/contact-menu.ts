import type { ChildNoun } from "../../company-children/pages/noun.ts";
import { html } from "../../web/html.ts";
import { menuWords } from "../contact-words.ts";

/** The links to a person's data (src/personal-data/): a copy for the person, and for admins its end. */
export const contactMenu: NonNullable<ChildNoun["menu"]> = (id, { session, language }) => {
  const words = menuWords[language];
  return html`<a class="button" href="/contacts/${id}/export" download>${words.export}</a>
${session.user.role === "admin" && html`<p>${words.erasing}</p><a class="button danger" href="/contacts/${id}/erase">${words.erase}</a>`}`;
};
