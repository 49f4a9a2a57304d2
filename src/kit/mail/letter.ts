import { html, type Html } from "../web/html.ts";
import type { Language } from "../web/language.ts";

/** A part of a letter: a paragraph, one link, rows with an amount each, or a group of things that have a link each. */
export type LetterPart =
  | string
  | { rows: readonly { text: string; amount: string }[] }
  | { label: string; path: string }
  | { title: string; things: readonly { text: string; path: string }[] };

/** The text of a mail, in one language. Paths are those of our pages. */
export type Letter = { subject: string; parts: readonly LetterPart[]; footer: readonly LetterPart[] };

/** A subject is one line, and mail clients cut it anyway. */
const SUBJECT_MAX = 150;

/** A letter as both bodies of a message, with whole links. @param origin LIAISON_PUBLIC_URL */
export function written(
  { subject, parts, footer }: Letter,
  origin: string,
  language: Language,
): { subject: string; text: string; html: string } {
  const end = footer.length === 0 ? [] : ["-- ", ...footer];
  const text = [...parts, ...end].map((part) => textOf(part, origin)).join("\n\n");
  // Mail clients apply no stylesheet, and show plain markup well, in the dark too.
  const markup = html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${subject}</title></head>
<body>
${parts.map((part) => markupOf(part, origin))}
${
  footer.length > 0 &&
  html`<hr>
<small>${footer.map((part) => markupOf(part, origin))}</small>`
}
</body></html>
`;
  return { subject: oneLine(subject), text: `${text}\n`, html: String(markup) };
}

function textOf(part: LetterPart, origin: string): string {
  if (typeof part === "string") return oneParagraph(part);
  if ("label" in part) return `${part.label}:\n${origin}${part.path}`;
  if ("rows" in part) return part.rows.map(({ text, amount }) => `  ${oneParagraph(text)}: ${amount}`).join("\n");
  const things = part.things.map(({ text, path }) => `- ${oneParagraph(text)}\n  ${origin}${path}`);
  return [oneParagraph(part.title), ...things].join("\n");
}

function markupOf(part: LetterPart, origin: string): Html {
  if (typeof part === "string") return html`<p>${part}</p>\n`;
  if ("label" in part) return html`<p><a href="${origin}${part.path}">${part.label}</a></p>\n`;
  if ("rows" in part)
    return html`<ul>${part.rows.map(({ text, amount }) => html`<li>${text}: <strong>${amount}</strong></li>\n`)}</ul>\n`;
  return html`<h3>${part.title}</h3>
<ul>${part.things.map(({ text, path }) => html`<li><a href="${origin}${path}">${text}</a></li>\n`)}</ul>\n`;
}

/** Names of people and things may have line breaks, which would begin a line that looks like ours. */
function oneParagraph(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ");
}

function oneLine(text: string): string {
  const line = oneParagraph(text).replaceAll(/\s+/g, " ").trim();
  return line.slice(0, SUBJECT_MAX).toWellFormed();
}
