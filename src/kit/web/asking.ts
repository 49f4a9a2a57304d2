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
  /** Blocks below the effects. */
  facts?: Html;
  /** The choices above the button. */
  fields?: Html | null;
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

/** The page for the confirmation before an irreversible action, and lists its effects with numbers. */
export function asking(
  language: Language,
  { title, area, consequences, facts, fields, action, submit, value, seen, back, keep }: Question,
): Shown {
  const main = html`<section class="message"><h1>${title}</h1>
${consequences.filter((each) => each !== false && each !== null).map((each) => html`<p>${each}</p>`)}${facts}
<form method="post" action="${action}">${seen !== undefined && html`<input type="hidden" name="${seen.name}" value="${seen.value}">`}${fields && html`<p>${fields}</p>`}<p class="actions"><button class="danger"${value !== undefined && html` name="${value.name}" value="${value.value}"`}>${submit}</button>
<a class="button" href="${back}">${keep ?? shellWords[language].cancel}</a></p></form></section>`;
  return { title, area, main };
}

/** An action with a hint: what its button does. */
export function act(label: string, hint: Content, control: Html): Html {
  return html`<div class="act"><div><strong>${label}</strong><p class="hint">${hint}</p></div>${control}</div>`;
}

/** The same as a form of one button. */
export function postAct(action: string, label: string, hint: Content): Html {
  return act(label, hint, html`<form method="post" action="${action}"><button>${label}</button></form>`);
}

/** The same as a link to the page with the question. */
export function askingAct(href: string, label: string, hint: Content): Html {
  return act(label, hint, html`<a class="button danger" href="${href}">${label}</a>`);
}

type Acts = readonly (Html | false | null)[];

/** Actions of a page that can be undone; null without any. */
export function acts(all: Acts, heading: Html | null = null): Html | null {
  const shown = all.filter((each) => each !== false && each !== null);
  return shown.length === 0
    ? null
    : html`<section class="section">${heading}<div class="acts">${shown}</div></section>`;
}

/** The irreversible actions, at the end of a page; null without any. */
export function dangers(language: Language, all: Acts): Html | null {
  return acts(all, html`<header><h2>${shellWords[language].danger}</h2></header>`);
}
