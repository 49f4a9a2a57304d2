import type { Area } from "./frame/layout.ts";
import { html, type Content, type Html } from "./html.ts";
import type { Language } from "./language.ts";
import type { Shown } from "./page.ts";
import { shellWords } from "./shell-words.ts";

type Question = {
  title: string;
  area: Area;
  /** The things that it does, each in a sentence, with numbers. */
  consequences: readonly Content[];
  /** Where the answer is posted, and what its button says. */
  action: string;
  submit: string;
  /** Where whoever thinks better of it goes. */
  back: string;
};

/** The page that asks before something is done that cannot be undone, and says in numbers what it does. */
export function asking(language: Language, { title, area, consequences, action, submit, back }: Question): Shown {
  const main = html`<section class="message"><h1>${title}</h1>
${consequences.filter((each) => each !== false && each !== null).map((each) => html`<p>${each}</p>`)}
<form method="post" action="${action}"><p class="actions"><button class="danger">${submit}</button>
<a class="button" href="${back}">${shellWords[language].cancel}</a></p></form></section>`;
  return { title, area, main };
}

/** The link to such a page, with what is said before. */
export function askingLink(href: string, text: string, label: string): Html {
  return html`<p>${text}</p><p><a class="button danger" href="${href}">${label}</a></p>`;
}
