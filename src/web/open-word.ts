/** Values of a free text that people have a word for, by the text in lower case with blanks. */
export type KnownWords = Readonly<Record<string, string>>;

/** How a free text such as `in_progress` is looked up. */
export function openName(text: string): string {
  return text.toLowerCase().replaceAll(/[\s_-]+/g, " ");
}

/** A free text as a page shows it: in the page's words where it is a known one, else as it was written, like a sentence. */
export function openWord(text: string, words: KnownWords): string {
  return words[openName(text)] ?? sentence(text.replaceAll("_", " "));
}

/** A text as a sentence begins. */
export function sentence(text: string): string {
  const [first = "", ...others] = text;
  return [first.toUpperCase(), ...others].join("");
}
