import type { Area } from "./frame/layout.ts";
import { html, type Content, type Html } from "./html.ts";
import type { Language } from "./language.ts";
import type { Shown } from "./page.ts";
import { shellWords } from "./shell-words.ts";

type Question = {
  title: string;
  area: Area;
  /** The effects, each as a sentence with numbers. */
  consequences: readonly Content[];
  /** The target of the form, and the label of its button. */
  action: string;
  submit: string;
  /** The value that the button sends, if the form needs one. */
  value?: { name: string; value: string };
  /** A hidden field, for what the person has seen. */
  seen?: { name: string; value: string };
  /** The target of the link that changes nothing, and its label if "Cancel" would have two meanings. */
  back: string;
  keep?: string;
};

/** The page that asks for confirmation before an irreversible action, and lists its effects with numbers. */
export function asking(
  language: Language,
  { title, area, consequences, action, submit, value, seen, back, keep }: Question,
): Shown {
  const main = html`<section class="message"><h1>${title}</h1>
${consequences.filter((each) => each !== false && each !== null).map((each) => html`<p>${each}</p>`)}
<form method="post" action="${action}">${seen !== undefined && html`<input type="hidden" name="${seen.name}" value="${seen.value}">`}<p class="actions"><button class="danger"${value !== undefined && html` name="${value.name}" value="${value.value}"`}>${submit}</button>
<a class="button" href="${back}">${keep ?? shellWords[language].cancel}</a></p></form></section>`;
  return { title, area, main };
}

/** The link to such a page, below a text. */
export function askingLink(href: string, text: string, label: string): Html {
  return html`<p>${text}</p><p><a class="button danger" href="${href}">${label}</a></p>`;
}
