import type { Deps } from "../../../kit/deps.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import { counted, type InLanguages, type Plural } from "../../../kit/web/language.ts";
import type { PageRequest } from "../../../kit/web/page.ts";
import { UndecryptableValue } from "../../../platform/encryption/keyring.ts";
import { readJson } from "../import-file-queries.ts";
import type { Import } from "../import-queries.ts";

/** Notes about a checked file that a person must see before its rows are written; null if there are none. */
export async function checkNotes(deps: Deps, { actor, language }: PageRequest, found: Import): Promise<Html | null> {
  const words = noteWords[language];
  const { workbook, clearsEmpty } = found.reading;
  const count = (number: number, plural: InLanguages<Plural>) => counted(language, number, plural[language]);
  const errorCells = await errorCellsOf(deps, actor.tenant, found.id);
  const { hidden = 0, formulas = 0, leavesHidden = false } = workbook ?? {};
  const [rows, choice, other] = leavesHidden
    ? [hiddenLeft, "import", words.importHidden]
    : [hiddenRows, "leave", words.leaveHidden];
  const notes = [
    hidden > 0 &&
      html`<form class="in-place kind" method="post" action="/imports/${found.id}/reading"><span>${count(hidden, rows)}</span>
<input type="hidden" name="hidden_rows" value="${choice}">${clearsEmpty && html`<input type="hidden" name="clears_empty" value="1">`}<button>${other}</button></form>`,
    formulas > 0 && html`${count(formulas, formulasWithout)} ${words.saveAgain}`,
    errorCells > 0 && html`${count(errorCells, cellsWithErrors)} ${words.unchanged}`,
  ].filter((note) => note !== false);
  return notes.length === 0 ? null : html`<ul class="notes">${notes.map((note) => html`<li>${note}</li>`)}</ul>`;
}

/** None for a file that cannot be decrypted any more. */
async function errorCellsOf(deps: Deps, tenant: PageRequest["actor"]["tenant"], id: string): Promise<number> {
  try {
    const notes = (await readJson(tenant, deps, id, "notes")) as { errorCells: number } | null;
    return notes?.errorCells ?? 0;
  } catch (error) {
    if (error instanceof UndecryptableValue) return 0;
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

const noteWords: InLanguages<Record<"leaveHidden" | "importHidden" | "saveAgain" | "unchanged", string>> = {
  en: {
    leaveHidden: "Leave them out",
    importHidden: "Import them too",
    saveAgain: "Open the file in a spreadsheet, save it, and upload it again.",
    unchanged: "The fields of these cells stay as they are.",
  },
  ro: {
    leaveHidden: "Omite rândurile ascunse",
    importHidden: "Importă și rândurile ascunse",
    saveAgain: "Deschideți fișierul într-o aplicație de calcul, salvați-l și încărcați-l din nou.",
    unchanged: "Câmpurile acestor celule rămân neschimbate.",
  },
};
