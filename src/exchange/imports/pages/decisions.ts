import { namedTable } from "../../../kit/tables/rows.ts";
import type { Form } from "../../../kit/web/forms/form.ts";
import { options } from "../../../kit/web/forms/select.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import { day, wholeNumber, type Language } from "../../../kit/web/language.ts";
import type { Field, FieldTable } from "../../../platform/fields/fields.ts";
import type { CheckFindings } from "../checking/listed-rows.ts";
import type { Noted } from "../checking/noted-rows.ts";
import { storedWords, type UnknownWord } from "../checking/unknown-words.ts";
import { columnLabel, valueLabels } from "../columns/column-labels.ts";
import { CONTACT_PERSON } from "../columns/contact-person.ts";
import { dayOrders, readDayOfColumn } from "../columns/days.ts";
import { folded } from "../columns/folded.ts";
import type { Import } from "../import-queries.ts";
import { kindOf, wholeKind } from "../kinds.ts";
import { fileFields } from "../reading/header.ts";
import { agains, fieldChoices, type Reading, type Words } from "../reading/reading.ts";
import { mayBeLeftOut } from "../writing/leave-out.ts";
import { decisionWords } from "./decision-words.ts";
import type { ShownImport } from "./import-of.ts";
import { importWords } from "./import-words.ts";

/** The choices of a word that are no value: its rows are skipped, or its field is left out. */
const SKIP = "";
const LEAVE = "-";

/** The question about rows that look like companies. Its answers for all at once: update the sure ones, or add all. */
export const [ALIKE, SURE, NEW] = ["alike", "sure", "new"] as const;

/** A question about many rows: what they have, the first of them, and the answers. Without answers it is a remark. */
type Decision = {
  name: string;
  text: string;
  rows: number;
  first: Noted["first"];
  answers: { value: string; label: string }[];
  chosen: string;
};

const TAX_ID = "tax_id";

/** Whether rows of different names share a fiscal id, and nobody has said whether the column is the fiscal id. */
export function isUnanswered({ reading }: Pick<Import, "reading">, { noted }: CheckFindings): boolean {
  return reading.choices[TAX_ID] === undefined && noted.some(({ why }) => why === "shared");
}

/** The decisions that a person may make about the rows of a checked file; null if there is nothing. */
export function decisions(language: Language, found: ShownImport, findings: CheckFindings): Html | null {
  const words = decisionWords[language];
  const shared = findings.noted.filter(({ why }) => why === "shared");
  const asked = [
    ...sharedIds(language, found, shared),
    ...rowsThereAlready(language, found, findings),
    ...rowsAlike(language, findings),
    ...unfitCells(language, found, findings),
    ...unknownWords(language, found),
    ...titles(language, found, findings),
    ...reasons(language, found, findings),
  ];
  const days = findings.columns.flatMap(({ field, order }) => (order === undefined ? [] : [{ field, ...order }]));
  if (asked.length === 0 && days.length === 0) return null;
  return html`<section class="section" id="words"><header><h2>${words.title}</h2></header>
${shared.map(({ field, rows }) => html`<p class="error">${words.shared(rows + 1, field)}</p>`)}${days.map(
    ({ field, example, proof, day: read }) =>
      html`<p class="hint">${words.daysRead(columnLabel(found, language, field), example, day(language, read), proof)}</p>`,
  )}
${
  asked.length > 0 &&
  namedTable("list mapping decisions", asked, [
    ["name", words.inFile, (one) => question(one)],
    ["number", words.rows, ({ rows }) => wholeNumber(language, rows)],
    ["values", words.first, (one) => firstOf(language, one)],
    [
      "field-choice",
      words.decision,
      ({ name, answers, chosen }) =>
        answers.length > 0 && html`<select id="${name}" name="${name}">${options(answers, chosen)}</select>`,
    ],
  ])
}${
    findings.alike.rows > 0 &&
    html`<p class="hint"><a href="/imports/${found.id}?rows=alike">${words.showAlike}</a>${found.hasFiles && html` · <a href="/imports/${found.id}/alike.csv" download>${words.downloadAlike}</a>`}</p>`
  }${asked.some(({ answers }) => answers.length > 0) && html`<p class="actions"><button>${importWords[language].reread}</button></p>`}</section>`;
}

function question({ name, text, answers }: Decision): Html {
  return answers.length > 0 ? html`<label for="${name}">${text}</label>` : html`${text}`;
}

/** The first cells, each once, with their rows; the rows alone if there is no cell. */
function firstOf(language: Language, { first }: Decision): Html {
  const words = decisionWords[language];
  const cells = new Map<string, number>();
  for (const [line, text] of first) if (!cells.has(text)) cells.set(text, line);
  const shown = [...cells].slice(0, 3);
  return html`${shown
    .map(([text, line]) => (text === "" ? words.row(line) : `${words.quoted(text)} (${words.row(line)})`))
    .join(" · ")}`;
}

/** Whether a column is the fiscal id, of which rows of different names share one. The answer can be taken back. */
function sharedIds(language: Language, { reading }: Import, shared: readonly Noted[]): Decision[] {
  const chosen = reading.choices[TAX_ID] ?? "";
  if (shared.length === 0 && chosen === "") return [];
  const words = decisionWords[language];
  const answers = [
    { value: "", label: words.notAnswered },
    { value: "keep", label: words.isFiscalId },
    { value: "leave", label: words.isNoFiscalId },
  ];
  const rows = shared.reduce((sum, one) => sum + one.rows, 0);
  const first = shared.flatMap((one) => one.first);
  return [{ name: `choice.${TAX_ID}`, text: words.sharedIds, rows, first, answers, chosen }];
}

function rowsThereAlready(language: Language, { reading }: Import, { noted }: CheckFindings): Decision[] {
  const words = decisionWords[language];
  const again = noted.find(({ why }) => why === "again" || why === "thereAlready");
  if (again === undefined && reading.again === "update") return [];
  const { rows = 0, first = [] } = again ?? {};
  const answers = agains.map((value) => ({ value, label: words.again[value] }));
  return [{ name: "again", text: words.thereAlready, rows, first, answers, chosen: reading.again }];
}

function rowsAlike(language: Language, { alike: { rows, sure, chosen, first } }: CheckFindings): Decision[] {
  if (rows + chosen === 0) return [];
  const words = decisionWords[language];
  const forAll = [
    ...(sure > 0 ? [{ value: SURE, label: words.sureInstead }] : []),
    ...(chosen > 0 ? [{ value: NEW, label: words.allNew }] : []),
  ];
  const answers = forAll.length === 0 ? [] : [{ value: "", label: words.rowByRow }, ...forAll];
  return [{ name: ALIKE, text: words.alike(sure, chosen), rows, first, answers, chosen: "" }];
}

/** Cells that are no value of their fields, days with two readings, and further values of a cell: each field once. */
function unfitCells(language: Language, found: Import, { noted }: CheckFindings): Decision[] {
  const words = decisionWords[language];
  const { reading } = found;
  const fields = fileFields(wholeKind(found));
  const isUnfit = ({ why, field }: Noted) => why === "unfit" || isLeftOut(fields, field);
  return fields.flatMap((field): Decision[] => {
    const { name } = field;
    const ofField = noted.filter((one) => one.field === name && one.why !== "shared");
    const label = columnLabel(found, language, name);
    const chosen = name === TAX_ID ? "" : (reading.choices[name] ?? "");
    const of = (some: readonly Noted[], text: string, answers: Decision["answers"] = []): Decision => ({
      name: `choice.${name}`,
      text,
      answers,
      rows: some.reduce((sum, { rows }) => sum + rows, 0),
      first: some.flatMap(({ first }) => first),
      chosen,
    });
    const several = ofField.filter(({ why }) => why === "several");
    const ambiguous = ofField.filter(({ why }) => why === "ambiguousDay");
    const persons = ofField.filter(({ why }) => why === "person");
    const currencies = ofField.filter(({ why }) => why === "currency");
    const changed = (["mended", "repeated"] as const).map((code) => ofField.filter(({ why }) => why === code));
    const others = new Set([...several, ...ambiguous, ...persons, ...currencies, ...changed.flat()]);
    const unfit = ofField.filter((one) => !others.has(one) && isUnfit(one));
    const isOfDays = ambiguous.length > 0 || (chosen !== "" && chosen !== "skip" && chosen !== "keep");
    const text = field.kind === "user" ? words.noUser(label) : words.unfit(label);
    const answers = [
      { value: "", label: words.leave },
      { value: "skip", label: words.skip },
    ];
    const asked: Decision[] = [];
    if (isOfDays) asked.push(of(ambiguous, words.twoReadings(label), daysToChoose(language, field, ambiguous)));
    // With `skip` chosen and no such row any more, the choice can still be taken back.
    const isAsked = !isOfDays && name !== CONTACT_PERSON;
    if (unfit.length > 0 || (chosen === "skip" && isAsked)) asked.push(of(unfit, text, isAsked ? answers : []));
    if (several.length > 0) asked.push(of(several, words.several(label)));
    if (currencies.length > 0) asked.push(of(currencies, words.currency(label)));
    if (persons.length > 0) asked.push(of(persons, words.persons(label)));
    for (const [at, some] of changed.entries())
      if (some.length > 0) asked.push(of(some, (at === 0 ? words.mended : words.repeated)(label)));
    return asked;
  });
}

function isLeftOut(fields: FieldTable, name: string): boolean {
  return fields.some((field) => field.name === name && (field.kind === "user" || mayBeLeftOut(field)));
}

/** Both orders of day and month, shown with the first day that has two readings. */
function daysToChoose(language: Language, field: Field, [ambiguous]: readonly Noted[]): Decision["answers"] {
  const words = decisionWords[language];
  const text = ambiguous?.first[0]?.[1] ?? "03/04/2026";
  const orders = dayOrders.flatMap((order) => {
    const read = readDayOfColumn(text, order);
    return read !== null && "day" in read ? [{ value: order, label: words.asDay(text, day(language, read.day)) }] : [];
  });
  return [{ value: "", label: words.skip }, ...orders, { value: "leave", label: words.leave }];
}

/** Rows with nothing but a name: titles, or companies. */
function titles(language: Language, { kind, reading }: Import, { noted }: CheckFindings): Decision[] {
  const words = decisionWords[language];
  const chosen = kind === "companies" && reading.choices.name === "keep" ? "keep" : "";
  const { rows = 0, first = [] } = noted.find(({ why }) => why === "titleRow") ?? {};
  if (rows === 0 && chosen === "") return [];
  const answers = [
    { value: "", label: words.skip },
    { value: "keep", label: words.keep },
  ];
  return [{ name: "choice.name", text: words.titles, rows, first, answers, chosen }];
}

/** Reasons of whole rows that several rows have. They are corrected in the file, or below. */
function reasons(language: Language, found: Import, { noted }: CheckFindings): Decision[] {
  const words = decisionWords[language];
  return noted.flatMap(({ why, field, rows, first }): Decision[] => {
    const said = words.reasons[why];
    if (said === undefined || (rows < 2 && why !== "unknownId" && why !== "odd")) return [];
    const text = field === "" ? said : `${columnLabel(found, language, field)}: ${said}`;
    return [{ name: "", text, rows, first, answers: [], chosen: "" }];
  });
}

/** The words of enumerated fields that no value is called by. */
function unknownWords(language: Language, found: Import): Decision[] {
  const { unknownWords: stored, reading } = found;
  return storedWords(stored).map((one): Decision => {
    const mapped = reading.words[one.field]?.[folded(one.word)];
    const name = nameOf(one);
    const text = `${columnLabel(found, language, one.field)}: ${decisionWords[language].quoted(one.word)}`;
    const chosen = mapped === "" ? LEAVE : (mapped ?? SKIP);
    return { name, text, rows: one.rows, first: [], answers: valuesToChoose(language, found, one.field), chosen };
  });
}

function valuesToChoose(language: Language, found: Import, name: string) {
  const field = fieldNamed(found, name);
  const labels = valueLabels(kindOf(found.kind).bulk.table, field, language);
  const words = decisionWords[language];
  return [
    { value: SKIP, label: words.skip },
    ...(field?.values ?? []).map((value) => ({ value, label: labels[value] ?? value })),
    { value: LEAVE, label: words.leave },
  ];
}

function fieldNamed(found: Import, field: string): Field | undefined {
  return wholeKind(found).bulk.fields.find(({ name }) => name === field);
}

function nameOf({ field, word }: UnknownWord): string {
  return `word.${field}.${folded(word).replaceAll(" ", "_")}`;
}

/** The decisions of a form, behind those that were made before. */
type Decided = Pick<Reading, "words" | "choices" | "again">;

export function decidedIn(form: Form, found: Import): Decided {
  const { reading } = found;
  const choices: Record<string, Reading["choices"][string]> = { ...reading.choices };
  for (const { name } of wholeKind(found).bulk.fields) {
    const asked = form.get(`choice.${name}`);
    if (asked === undefined) continue;
    const choice = fieldChoices.find((one) => one === asked);
    if (choice === undefined) delete choices[name];
    else choices[name] = choice;
  }
  const again = agains.find((one) => one === form.get("again")) ?? reading.again;
  return { words: wordsFromForm(form, found), choices, again };
}

/** Whether a form decides what is not applied yet. */
export function decidesOtherwise({ words, choices, again }: Decided, { reading }: Import): boolean {
  const isSame = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other);
  return !isSame(words, reading.words) || !isSame(choices, reading.choices) || again !== reading.again;
}

function wordsFromForm(form: Form, found: Import): Words {
  const { unknownWords, reading } = found;
  const asked: Record<string, Record<string, string>> = {};
  for (const [field, known] of Object.entries(reading.words)) asked[field] = { ...known };
  for (const one of storedWords(unknownWords)) {
    const chosen = form.get(nameOf(one));
    if (chosen === undefined) continue;
    const word = folded(one.word);
    if (chosen === LEAVE) (asked[one.field] ??= {})[word] = "";
    else if (fieldNamed(found, one.field)?.values?.includes(chosen) === true) (asked[one.field] ??= {})[word] = chosen;
    else delete asked[one.field]?.[word];
  }
  return asked;
}
