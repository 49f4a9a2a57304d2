/** Words for known values of a free text, by the text in lower case with blanks. */
export type KnownWords = Readonly<Record<string, string>>;

/** The key of a free text such as `in_progress`. */
export function openName(text: string): string {
  return text.toLowerCase().replaceAll(/[\s_-]+/g, " ");
}

/** A free text for display: a known one in the page's words, any other as written, with a capital letter. */
export function openWord(text: string, words: KnownWords): string {
  return words[openName(text)] ?? sentence(text.replaceAll("_", " "));
}

/** A text with a capital letter. */
export function sentence(text: string): string {
  const [first = "", ...others] = text;
  return [first.toUpperCase(), ...others].join("");
}
