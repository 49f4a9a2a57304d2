import type { Form } from "../../../kit/web/forms/form.ts";
import { options } from "../../../kit/web/forms/select.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import { decimal, type Language } from "../../../kit/web/language.ts";
import type { Import } from "../import-queries.ts";
import { kindOf } from "../kinds.ts";
import { delimiters, encodings, type Reading } from "../reading/reading.ts";
import type { ReadingFromForm } from "../store-upload.ts";
import { importWords } from "./import-words.ts";

/** The delimiters as forms name them. */
const DELIMITER_NAMES = { ",": "comma", ";": "semicolon", "\t": "tab", "|": "bar" } as const;

/** How a file is read, as form fields: the sheet of a workbook, or the format of a text. */
export function readingFields(language: Language, reading: Reading): Html {
  const words = importWords[language];
  const { workbook, headerLine, clearsEmpty } = reading;
  const between = delimiters.map((one) => ({ value: DELIMITER_NAMES[one], label: words.delimiters[one] }));
  const texts = encodings.map((one) => ({ value: one, label: words.encodings[one] }));
  const sheets = workbook?.sheets.map((label, index) => ({ value: String(index), label })) ?? [];
  const format =
    workbook === null
      ? html`<div class="field"><label for="delimiter">${words.delimiter}</label>
<select id="delimiter" name="delimiter">${options(between, DELIMITER_NAMES[reading.delimiter])}</select></div>
<div class="field"><label for="encoding">${words.encoding}</label>
<select id="encoding" name="encoding">${options(texts, reading.encoding)}</select></div>`
      : html`<div class="field"><label for="sheet">${words.sheet}</label>
<select id="sheet" name="sheet">${options(sheets, String(workbook.sheet))}</select></div>`;
  return html`${format}
<div class="field"><label for="header_line">${words.headerLine}</label>
<input id="header_line" name="header_line" inputmode="numeric" value="${headerLine}"></div>
<div class="field"><input type="checkbox" id="clears_empty" name="clears_empty" value="1" aria-describedby="clears-hint"${
    clearsEmpty && html` checked`
  }>
<label for="clears_empty">${words.clearsEmpty}</label>
<p class="hint" id="clears-hint">${words.clearsEmptyHint}</p></div>`;
}

/** The reading that a form asks for; null values are guessed. */
export function readingFromForm(form: Form, language: Language): ReadingFromForm {
  const delimiter = form.get("delimiter");
  const encoding = form.get("encoding");
  return {
    delimiter: delimiters.find((one) => DELIMITER_NAMES[one] === delimiter) ?? null,
    encoding: encodings.find((one) => one === encoding) ?? null,
    clearsEmpty: form.has("clears_empty"),
    language,
  };
}

/** The line of the header that a form asks for; null if it names none. */
export function headerLineFromForm(form: Form): number | null {
  const text = form.get("header_line") ?? "";
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : null;
}

/** `Semicolons, Windows-1250, numbers as 1.234,50` */
export function readingIn(language: Language, { kind, reading }: Pick<Import, "kind" | "reading">): string {
  const { delimiter, encoding, clearsEmpty, workbook, headerLine } = reading;
  const words = importWords[language];
  const hasNumbers = kindOf(kind).bulk.fields.some((field) => field.kind === "decimal" && field.within === undefined);
  const isText = workbook === null;
  const numbers =
    hasNumbers && isText && reading.language !== null && words.numbersAs(decimal(reading.language, "1234.50"));
  const format = isText
    ? [words.delimiters[delimiter], words.encodings[encoding]]
    : [words.sheetNamed(workbook.sheets[workbook.sheet] ?? "")];
  return [...format, headerLine > 1 && words.namesInRow(headerLine), clearsEmpty && words.emptyCleared, numbers]
    .filter(Boolean)
    .join(", ");
}
