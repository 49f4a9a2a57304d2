import { html, type Content } from "./html.ts";

/** A text with what was searched for marked, where it is found without regard to case and accents. */
export function marked(text: string | null, search: string | null): Content {
  if (text === null || search === null) return text;
  const characters = Array.from(text);
  const needle = Array.from(search, folded).join("");
  const haystack = characters.map(folded);
  const at = haystack.join("").indexOf(needle);
  if (at < 0 || needle === "") return text;
  const start = Array.from(haystack.join("").slice(0, at)).length;
  const end = start + Array.from(needle).length;
  const part = (from: number, to?: number) => characters.slice(from, to).join("");
  return html`${part(0, start)}<mark>${part(start, end)}</mark>${part(end)}`;
}

/** One character for one, so that places in the folded text are places in the text. */
function folded(character: string): string {
  return Array.from(character.normalize("NFD").toLowerCase())[0] ?? character;
}
