import type { Deps } from "../../../kit/deps.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import { counted, type InLanguages, type Plural } from "../../../kit/web/language.ts";
import type { PageRequest } from "../../../kit/web/page.ts";
import { UndecryptableValue } from "../../../platform/encryption/keyring.ts";
import { GARBLED } from "../checking/column-findings.ts";
import { columnLabel } from "../columns/column-labels.ts";
import { readJson } from "../import-file-queries.ts";
import type { Import } from "../import-queries.ts";
import { importWords } from "./import-words.ts";

/** Notes about a checked file that a person must see before its rows are written; null if there are none. */
export async function checkNotes(deps: Deps, { actor, language }: PageRequest, found: Import): Promise<Html | null> {
  const words = noteWords[language];
  const { workbook, clearsEmpty } = found.reading;
  const count = (number: number, plural: InLanguages<Plural>) => counted(language, number, plural[language]);
  const { errorCells, letters } = await storedNotes(deps, actor.tenant, found.id);
  const { encoding } = found.reading;
  const isOtherText = workbook === null && letters !== "" && (!encoding.startsWith("utf") || GARBLED.test(letters));
  const { hidden = 0, hiddenColumns = [], unseen = 0, formulas = 0, leavesHidden = false } = workbook ?? {};
  const unseenColumns = hiddenColumns.flatMap((at) => {
    const field = found.reading.columns?.[at] ?? "";
    return field === "" ? [] : words.hiddenColumn(columnLetters(at), columnLabel(found, language, field));
  });
  const [rows, choice, other] = leavesHidden
    ? [hiddenLeft, "import", words.importHidden]
    : [hiddenRows, "leave", words.leaveHidden];
  const notes = [
    hidden > 0 &&
      html`<form class="in-place kind" method="post" action="/imports/${found.id}/reading"><span>${count(hidden, rows)}</span>
<input type="hidden" name="hidden_rows" value="${choice}">${clearsEmpty && html`<input type="hidden" name="clears_empty" value="1">`}<button>${other}</button></form>`,
    ...unseenColumns.map((note) => html`${note} <a href="#reading">${words.chooseField}</a>`),
    unseen > 0 && html`${count(unseen, unseenCells)}`,
    isOtherText &&
      html`${words.readAs(importWords[language].encodings[encoding], letters)} <a href="#reading">${words.otherEncoding}</a>`,
    formulas > 0 && html`${count(formulas, formulasWithout)} ${words.saveAgain}`,
    errorCells > 0 && html`${count(errorCells, cellsWithErrors)} ${words.unchanged}`,
  ].filter((note) => note !== false);
  return notes.length === 0 ? null : html`<ul class="notes">${notes.map((note) => html`<li>${note}</li>`)}</ul>`;
}

/** `A`, `B`, ..., `AA` */
function columnLetters(at: number): string {
  return (at >= 26 ? columnLetters(Math.floor(at / 26) - 1) : "") + String.fromCharCode(65 + (at % 26));
}

/** The cells with errors, and a text with other letters than ASCII. */
type Notes = { errorCells: number; letters: string };
const NO_NOTES: Notes = { errorCells: 0, letters: "" };

/** None of a file that cannot be decrypted any more. */
async function storedNotes(deps: Deps, tenant: PageRequest["actor"]["tenant"], id: string): Promise<Notes> {
  try {
    return { ...NO_NOTES, ...((await readJson(tenant, deps, id, "notes")) as Notes | null) };
  } catch (error) {
    if (error instanceof UndecryptableValue) return NO_NOTES;
    throw error;
  }
}

const hiddenRows: InLanguages<Plural> = {
  en: { one: "row is hidden in the sheet.", other: "rows are hidden in the sheet." },
  ro: {
    one: "rând este ascuns în foaie.",
    few: "rânduri sunt ascunse în foaie.",
    other: "de rânduri sunt ascunse în foaie.",
  },
};
const hiddenLeft: InLanguages<Plural> = {
  en: { one: "hidden row is left out.", other: "hidden rows are left out." },
  ro: {
    one: "rând ascuns nu se importă.",
    few: "rânduri ascunse nu se importă.",
    other: "de rânduri ascunse nu se importă.",
  },
};
const unseenCells: InLanguages<Plural> = {
  en: {
    one: "cell shows nothing in the sheet, because of its format, and is imported.",
    other: "cells show nothing in the sheet, because of their format, and are imported.",
  },
  ro: {
    one: "celulă nu se vede în foaie, din cauza formatului, și se importă.",
    few: "celule nu se văd în foaie, din cauza formatului, și se importă.",
    other: "de celule nu se văd în foaie, din cauza formatului, și se importă.",
  },
};
const formulasWithout: InLanguages<Plural> = {
  en: {
    one: "formula has no stored value, so its cell counts as empty.",
    other: "formulas have no stored value, so their cells count as empty.",
  },
  ro: {
    one: "formulă nu are o valoare salvată, iar celula ei contează ca goală.",
    few: "formule nu au o valoare salvată, iar celulele lor contează ca goale.",
    other: "de formule nu au o valoare salvată, iar celulele lor contează ca goale.",
  },
};
const cellsWithErrors: InLanguages<Plural> = {
  en: { one: "cell has a spreadsheet error, such as #N/A.", other: "cells have a spreadsheet error, such as #N/A." },
  ro: {
    one: "celulă conține o eroare de calcul, de exemplu #N/A.",
    few: "celule conțin o eroare de calcul, de exemplu #N/A.",
    other: "de celule conțin o eroare de calcul, de exemplu #N/A.",
  },
};

const noteWords = {
  en: {
    leaveHidden: "Leave them out",
    importHidden: "Import them too",
    hiddenColumn: (letters: string, field: string) =>
      `Column ${letters} is hidden in the workbook, and is imported as “${field}”.`,
    chooseField: "Choose its field",
    saveAgain: "Open the file in a spreadsheet, save it, and upload it again.",
    unchanged: "The fields of these cells stay as they are.",
    readAs: (encoding: string, text: string) => `The file is read as ${encoding}: “${text}”.`,
    otherEncoding: "If letters are wrong, choose another encoding",
  },
  ro: {
    leaveHidden: "Omite rândurile ascunse",
    importHidden: "Importă și rândurile ascunse",
    hiddenColumn: (letters: string, field: string) =>
      `Coloana ${letters} este ascunsă în foaie și se importă ca „${field}”.`,
    chooseField: "Alegeți câmpul ei",
    saveAgain: "Deschideți fișierul într-o aplicație de calcul, salvați-l și încărcați-l din nou.",
    unchanged: "Câmpurile acestor celule rămân neschimbate.",
    readAs: (encoding: string, text: string) => `Fișierul se citește ca ${encoding}: „${text}”.`,
    otherEncoding: "Dacă literele sunt greșite, alegeți altă codificare",
  },
} satisfies InLanguages<object>;
