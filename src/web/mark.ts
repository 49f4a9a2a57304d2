import { normalized } from "../platform/text.ts";
import { html, type Content } from "./html.ts";

/** A text with what was searched for marked, where it is found without regard to case and accents: a text, or each of several words. */
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

/** Whether a text contains what was searched for, without regard to case and accents; every text contains nothing. */
export function contains(text: string, search: string | null): boolean {
  return search === null || placeOf(text, search) !== null;
}

/** In characters, not code units. */
function placeOf(text: string, search: string): { start: number; end: number } | null {
  const needle = Array.from(search, folded).join("");
  const haystack = Array.from(text, folded).join("");
  const at = haystack.indexOf(needle);
  if (at < 0 || needle === "") return null;
  const start = Array.from(haystack.slice(0, at)).length;
  return { start, end: start + Array.from(needle).length };
}

/** One character for one, so that places in the folded text are places in the text. */
function folded(character: string): string {
  return Array.from((normalized(character, 1, "NFD") ?? character).toLowerCase())[0] ?? character;
}
