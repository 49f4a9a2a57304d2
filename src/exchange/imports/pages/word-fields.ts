import { namedTable } from "../../../kit/tables/rows.ts";
import type { Form } from "../../../kit/web/forms/form.ts";
import { options } from "../../../kit/web/forms/select.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import { wholeNumber, type Language } from "../../../kit/web/language.ts";
import { storedWords, type UnknownWord } from "../checking/unknown-words.ts";
import { columnLabel, valueLabels } from "../columns/column-labels.ts";
import { folded } from "../columns/folded.ts";
import type { Import } from "../import-queries.ts";
import { kindOf } from "../kinds.ts";
import type { Words } from "../reading/reading.ts";
import { importWords } from "./import-words.ts";

/** The choices that are no value: the row is skipped, or the field is left out. */
const SKIP = "";
const LEAVE = "-";

/** The words of enumerated fields that no value is called by, with their rows and the value of each. */
export function wordFields(language: Language, { kind, unknownWords, reading }: Import): Html | null {
  const found = storedWords(unknownWords);
  if (found.length === 0) return null;
  const words = importWords[language];
  return html`<section class="section" id="words"><header><h2>${words.wordsTitle}</h2></header>
<p class="hint">${words.wordsHint}</p>
${namedTable("list mapping", found, [
  [
    "name",
    words.wordInFile,
    (one) =>
      html`<label for="${nameOf(one)}">${columnLabel(kind, language, one.field)}: ${words.quoted(one.word)}</label>`,
  ],
  ["labelled", words.wordRows, ({ rows }) => wholeNumber(language, rows)],
  [
    "field-choice",
    words.wordValue,
    (one) => {
      const mapped = reading.words[one.field]?.[folded(one.word)];
      const chosen = options(choicesOf(language, kind, one.field), mapped === "" ? LEAVE : (mapped ?? SKIP));
      return html`<select id="${nameOf(one)}" name="${nameOf(one)}">${chosen}</select>`;
    },
  ],
])}</section>`;
}

function choicesOf(language: Language, kind: string, field: string) {
  const { table } = kindOf(kind).bulk;
  const labels = valueLabels(table, field, language);
  const words = importWords[language];
  return [
    { value: SKIP, label: words.wordSkip },
    ...valuesOf(kind, field).map((value) => ({ value, label: labels[value] ?? value })),
    { value: LEAVE, label: words.wordLeave },
  ];
}

function valuesOf(kind: string, field: string): readonly string[] {
  return kindOf(kind).bulk.fields.find(({ name }) => name === field)?.values ?? [];
}

function nameOf({ field, word }: UnknownWord): string {
  return `word.${field}.${folded(word).replaceAll(" ", "_")}`;
}

/** The words as a form maps them, behind those that were mapped before; null if the form has none. */
export function wordsFromForm(form: Form, { kind, unknownWords, reading }: Import): Words | null {
  const asked: Record<string, Record<string, string>> = {};
  for (const [field, known] of Object.entries(reading.words)) asked[field] = { ...known };
  let isAsked = false;
  for (const one of storedWords(unknownWords)) {
    const chosen = form.get(nameOf(one));
    if (chosen === undefined) continue;
    isAsked = true;
    const ofField = (asked[one.field] ??= {});
    if (chosen === LEAVE) ofField[folded(one.word)] = "";
    else if (valuesOf(kind, one.field).includes(chosen)) ofField[folded(one.word)] = chosen;
    else delete ofField[folded(one.word)];
  }
  return isAsked ? asked : null;
}
