import { emailAddress, phoneAddress } from "../contact-links.ts";
import { html, type Content, type Html } from "../html.ts";
import { icon } from "../icon.ts";
import type { InLanguages, Language } from "../language.ts";
import { shellWords } from "../shell-words.ts";

type Bar = {
  phone?: string | null | undefined;
  email?: string | null | undefined;
  /** The address of the form that logs a call. */
  log: string;
  edit: string;
  menu: Content;
  /** Whether a wide page has Call and E-mail too. Log is always on the phone alone, because the form is in view. */
  isCalledFromAll?: true;
};

const words = {
  en: { call: "Call", email: "E-mail", log: "Log" },
  ro: { call: "Sună", email: "E-mail", log: "Notează" },
} satisfies InLanguages<object>;

/** The actions of a record: on a phone four buttons of equal width, Edit behind the last of them. */
export function recordBar({ phone, email, log, edit, menu, isCalledFromAll }: Bar, language: Language): Html {
  const { call, email: write, log: note } = words[language];
  const { edit: change, more } = shellWords[language];
  const [tel, mailto] = [phoneAddress(phone ?? null), emailAddress(email ?? null)];
  const width = isCalledFromAll ? "" : " narrow";
  return html`<div class="bar">
${tel !== null && html`<a class="button${width}" href="${tel}">${icon("phone")}${call}</a>`}
${mailto !== null && html`<a class="button${width}" href="${mailto}">${icon("email")}${write}</a>`}
<a class="button narrow" href="${log}">${icon("note")}${note}</a>
<a class="button wide" href="${edit}" aria-keyshortcuts="e">${change}</a>
<details class="menu"><summary class="button">${icon("more")}<span class="hidden">${more}</span></summary>
<div><a class="button narrow" href="${edit}">${change}</a>${menu}</div></details>
</div>`;
}
