import { normalized } from "../../platform/text.ts";
import { html, type Content } from "./html.ts";

/** Highlights the search in a text, ignoring case and accents: one text, or each of several words. */
export function marked(text: string | null, search: string | readonly string[] | null): Content {
  if (text === null || search === null) return text;
  const places = [search].flat().flatMap((word) => placeOf(text, word) ?? []);
  if (places.length === 0) return text;
  const characters = Array.from(text);
  const isMarked = characters.map((_character, at) => places.some(({ start, end }) => start <= at && at < end));
  const parts: { marked: boolean; text: string }[] = [];
  for (const [at, character] of characters.entries()) {
    const last = parts.at(-1);
    if (last !== undefined && last.marked === isMarked[at]) last.text += character;
    else parts.push({ marked: isMarked[at] === true, text: character });
  }
  return html`${parts.map((part) => (part.marked ? html`<mark>${part.text}</mark>` : part.text))}`;
}

/** Whether a text contains the search, ignoring case and accents; true for an empty search. */
export function contains(text: string, search: string | null): boolean {
  return search === null || placeOf(text, search) !== null;
}

/** Offsets in characters, not code units. */
function placeOf(text: string, search: string): { start: number; end: number } | null {
  const needle = Array.from(search, folded).join("");
  const haystack = Array.from(text, folded).join("");
  const at = haystack.indexOf(needle);
  if (at < 0 || needle === "") return null;
  const start = Array.from(haystack.slice(0, at)).length;
  return { start, end: start + Array.from(needle).length };
}

/** Maps one character to one, so that offsets in the folded text are those of the text. */
function folded(character: string): string {
  return Array.from((normalized(character, 1, "NFD") ?? character).toLowerCase())[0] ?? character;
}
