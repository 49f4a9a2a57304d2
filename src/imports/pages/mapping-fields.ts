import type { Form } from "../../web/forms/form.ts";
import { options } from "../../web/forms/select.ts";
import { html, type Html } from "../../web/html.ts";
import type { Language } from "../../web/language.ts";
import { kindOf } from "../kinds.ts";
import { columnNames } from "../reading/header.ts";
import type { Reading } from "../reading/reading.ts";
import { importWords } from "./import-words.ts";

/** Columns of a file that can be mapped by hand. Later columns are mapped by their names only. */
const MOST = 100;

/** A choice of field for each column of a file, `column.0` the first. */
export function mappingFields(language: Language, kind: string, { columns }: Reading, names: readonly string[]): Html {
  const words = importWords[language];
  const own = columnNames(kindOf(kind)).map((field) => ({ value: field, label: field }));
  const fields = [{ value: "", label: words.notImported }, ...own];
  return html`<fieldset class="mapping"><legend>${words.columns}</legend><p class="hint">${words.mappingHint}</p>
${names.slice(0, MOST).map((name, index) => {
  const chosen = (columns ?? names)[index] ?? "";
  const id = `column.${index}`;
  return html`<div class="field"><label for="${id}">${name === "" ? words.nameless(String(index + 1)) : name.slice(0, MOST)}</label>
<select id="${id}" name="${id}">${options(fields, chosen)}</select></div>`;
})}</fieldset>`;
}

/** The columns as mapped by a form; null if the form has no mapping. */
export function mappingAsked(form: Form, kind: string, names: readonly string[]): string[] | null {
  if (!form.has("column.0")) return null;
  const fields = columnNames(kindOf(kind));
  return names.map((name, index) => {
    const chosen = form.get(`column.${index}`) ?? (index < MOST ? "" : name);
    return fields.includes(chosen) ? chosen : "";
  });
}
