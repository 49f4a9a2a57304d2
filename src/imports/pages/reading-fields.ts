import type { Form } from "../../web/forms/form.ts";
import { options } from "../../web/forms/select.ts";
import { html, type Html } from "../../web/html.ts";
import { decimal, type Language } from "../../web/language.ts";
import type { Import } from "../import-queries.ts";
import { kindOf } from "../kinds.ts";
import { delimiters, encodings, type Reading } from "../reading/reading.ts";
import type { ReadingAsked } from "../store-upload.ts";
import { importWords } from "./import-words.ts";

/** The delimiters as forms name them. */
const DELIMITER_NAMES = { ",": "comma", ";": "semicolon", "\t": "tab" } as const;

/** How a file is read, as form fields. Without a reading, delimiter and encoding can be left to be guessed. */
export function readingFields(language: Language, reading: Reading | null): Html {
  const words = importWords[language];
  const guess = reading === null ? [{ value: "", label: words.guess }] : [];
  const between = delimiters.map((one) => ({ value: DELIMITER_NAMES[one], label: words.delimiters[one] }));
  const texts = encodings.map((one) => ({ value: one, label: words.encodings[one] }));
  return html`<div class="field"><label for="delimiter">${words.delimiter}</label>
<select id="delimiter" name="delimiter">${options([...guess, ...between], reading && DELIMITER_NAMES[reading.delimiter])}</select></div>
<div class="field"><label for="encoding">${words.encoding}</label>
<select id="encoding" name="encoding">${options([...guess, ...texts], reading?.encoding)}</select></div>
<div class="field"><input type="checkbox" id="clears_empty" name="clears_empty" value="1" aria-describedby="clears-hint"${
    reading?.clearsEmpty === true && html` checked`
  }>
<label for="clears_empty">${words.clearsEmpty}</label>
<p class="hint" id="clears-hint">${words.clearsEmptyHint}</p></div>`;
}

/** The reading that a form asks for; null values are guessed. */
export function readingAsked(form: Form, language: Language): ReadingAsked {
  const delimiter = form.get("delimiter");
  const encoding = form.get("encoding");
  return {
    delimiter: delimiters.find((one) => DELIMITER_NAMES[one] === delimiter) ?? null,
    encoding: encodings.find((one) => one === encoding) ?? null,
    clearsEmpty: form.has("clears_empty"),
    language,
  };
}

/** `Semicolons, Windows-1250, numbers as 1.234,50` */
export function readingIn(language: Language, { kind, reading }: Pick<Import, "kind" | "reading">): string {
  const { delimiter, encoding, clearsEmpty } = reading;
  const words = importWords[language];
  const hasNumbers = kindOf(kind).bulk.fields.some((field) => field.kind === "decimal");
  const numbers = hasNumbers && reading.language !== null && words.numbersAs(decimal(reading.language, "1234.50"));
  return [words.delimiters[delimiter], words.encodings[encoding], clearsEmpty && words.emptyCleared, numbers]
    .filter(Boolean)
    .join(", ");
}
