import { normalized } from "../../../platform/text.ts";

/** Code points of a text that is compared; a longer one is no name of a column, and no word. */
const MOST = 100;

const ASCII = /^[ -~]*$/;
const PLAIN = /^(?:[A-Za-z\d@#%]+(?: [A-Za-z\d@#%]+)*)?$/;

/** A text without case, accents and punctuation: `Nr. Reg. Com.` is `nr reg com`. Empty for a long text. */
export function folded(text: string): string {
  if (text.length > MOST) return foldedSlowly(text);
  // Most names, in a quarter of the time.
  if (PLAIN.test(text)) return text.toLowerCase();
  let result = "";
  let isBehindBlank = false;
  for (let at = 0; at < text.length; at++) {
    const letter = LETTERS[text.charCodeAt(at)];
    if (letter === undefined) return foldedSlowly(text);
    if (letter !== "") result += isBehindBlank && result !== "" ? ` ${letter}` : letter;
    isBehindBlank = letter === "";
  }
  return result;
}

/** The letters of the languages of Europe in a Latin script, each folded. Marks to combine are behind them. */
const LETTERS = Array.from({ length: 0x250 }, (_none, code) => foldedSlowly(String.fromCharCode(code)));

/** A text without case and accents. Empty for a long text. */
export function spelledPlainly(text: string): string {
  if (text.length <= MOST && ASCII.test(text)) return text.toLowerCase();
  return (normalized(text, MOST, "NFD") ?? "").replaceAll(/\p{M}/gu, "").toLowerCase();
}

function foldedSlowly(text: string): string {
  return spelledPlainly(text)
    .replaceAll(/[^\p{L}\p{N}@#%]+/gu, " ")
    .trim();
}
