import { namedTable } from "../../../kit/tables/rows.ts";
import type { Form } from "../../../kit/web/forms/form.ts";
import { options } from "../../../kit/web/forms/select.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import { day, type Language } from "../../../kit/web/language.ts";
import { isWithin, shortened, trim } from "../../../platform/text.ts";
import { columnLabel } from "../columns/column-labels.ts";
import { wholeKind, type OfWorkspace } from "../kinds.ts";
import { columnNames } from "../reading/header.ts";
import type { Reading } from "../reading/reading.ts";
import type { LeftOutColumn } from "../store-upload.ts";
import { columnWords } from "./column-words.ts";
import { importWords } from "./import-words.ts";

/** Columns of a file that can be mapped by hand. Later columns keep their guesses. */
const MOST = 100;
/** The values beside each column, and their characters. */
const VALUES = 3;
const VALUE_LENGTH = 40;

/** A file's columns for a page. */
export type ShownColumns = OfWorkspace & {
  reading: Reading;
  names: readonly string[];
  samples: readonly (readonly string[])[];
  /** Whether the field of a column was guessed, by position. */
  isGuessed: readonly boolean[];
  /** The columns that a person left out before. */
  leftOut: readonly LeftOutColumn[];
};

/** The columns of a file with their first values, and a choice of field for each: `column.0` is the first. */
export function mappingFields(language: Language, shown: ShownColumns): Html {
  const { reading, names, samples, isGuessed, leftOut } = shown;
  const words = importWords[language];
  const own = columnNames(wholeKind(shown)).map((field) => ({
    value: field,
    label: columnLabel(shown, language, field),
  }));
  const fields = [{ value: "", label: words.notImported }, ...own];
  const idOf = (index: number) => `column.${index}`;
  return html`<p class="hint">${words.mappingHint}</p>
${namedTable(
  "list mapping",
  [...names.slice(0, MOST).entries()],
  [
    [
      "name",
      words.yourColumn,
      ([index, name]) =>
        html`<label for="${idOf(index)}">${name === "" ? words.nameless(String(index + 1)) : shortened(name, MOST)}</label>${
          reading.workbook?.hiddenColumns?.includes(index) === true && html` <small>${words.isHidden}</small>`
        }`,
    ],
    ["values", words.firstValues, ([index]) => valuesOf(samples, index)],
    [
      "field-choice",
      words.field,
      ([index]) =>
        html`<select id="${idOf(index)}" name="${idOf(index)}">${options(fields, (reading.columns ?? names)[index] ?? "")}</select>${
          isGuessed[index] === true && html` <span class="guessed">${words.guessed}</span>`
        }${leftOutBefore(language, shown, index, leftOut[index] ?? null)}`,
    ],
  ],
)}`;
}

/** A column that was left out before, with a button that gives it its field again. */
function leftOutBefore(language: Language, of: OfWorkspace, index: number, left: LeftOutColumn): Html | null {
  if (left === null) return null;
  const words = columnWords[language];
  const use = html` <button class="link" name="use" value="${index}.${left.field}">${words.useAs(columnLabel(of, language, left.field))}</button>`;
  return html` <small>${words.leftOutOn(day(language, left.on))}${left.field !== "" && use}</small>`;
}

function valuesOf(samples: ShownColumns["samples"], index: number): string {
  const values = samples.flatMap((row) => {
    const cell = row[index] ?? "";
    const text = isWithin(cell, 4 * VALUE_LENGTH) ? trim(cell) : cell.slice(0, 4 * VALUE_LENGTH);
    return text === "" ? [] : [shortened(text.replaceAll(/\s+/g, " "), VALUE_LENGTH)];
  });
  return values.slice(0, VALUES).join(" · ");
}

/** The columns as mapped by a form; null if the form has no mapping. */
export function mappingFromForm(
  form: Form,
  of: OfWorkspace & Pick<ShownColumns, "reading">,
  names: readonly string[],
): string[] | null {
  if (!form.has("column.0")) return null;
  const fields = columnNames(wholeKind(of));
  const [used, field = ""] = form.get("use")?.split(".") ?? [];
  const columns = names.slice(0, MOST).map((_name, index) => {
    const chosen = used === String(index) ? field : (form.get(`column.${index}`) ?? "");
    return fields.includes(chosen) ? chosen : "";
  });
  // The form has no choice for later columns.
  const later = (of.reading.columns ?? names).slice(MOST);
  return [...columns, ...later.map((chosen) => (columns.includes(chosen) || !fields.includes(chosen) ? "" : chosen))];
}
