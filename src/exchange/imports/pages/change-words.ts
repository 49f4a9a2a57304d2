import type { InLanguages, Language } from "../../../kit/web/language.ts";
import type { Import } from "../import-queries.ts";
import { importWords } from "./import-words.ts";

/** The words of an import that changes listed rows, if they differ from those of a file. */
const changeWords = {
  en: {
    states: { ...importWords.en.states, running: "Being changed", done: "Changed" },
    failures: {
      ...importWords.en.failures,
      unreadable: "The stored ids can no longer be read. Please select the rows again.",
      deaths: "The server stopped twice at the same row, so the change was stopped. You can try it again.",
    },
    undoing: "The change is being undone. You can leave this page.",
    cancel: "Stop",
    undo: "Undo",
    forgotten: "It can no longer be undone.",
    retention: importWords.en.undoableFor,
    undoTitle: "Undo this change?",
    back: "Back to the change",
  },
  ro: {
    states: { ...importWords.ro.states, running: "Se modifică", done: "Modificat" },
    failures: {
      ...importWords.ro.failures,
      unreadable: "Rândurile alese nu mai pot fi citite. Vă rugăm să le selectați din nou.",
      deaths:
        "Serverul s-a oprit de două ori la același rând, așa că modificarea a fost pusă deoparte. Puteți încerca din nou.",
    },
    undoing: "Modificarea se anulează. Puteți părăsi pagina.",
    cancel: "Oprește",
    undo: "Anulează modificarea",
    forgotten: "Nu mai poate fi anulată.",
    retention: "Poate fi anulată timp de 30 de zile.",
    undoTitle: "Anulați această modificare?",
    back: "Înapoi la modificare",
  },
} satisfies InLanguages<object>;

/** Sentences that only a change has. */
export const changedWords = {
  en: {
    toList: "To the list",
    skipped: "Skipped rows were deleted in the meantime, or their new owner is not active.",
    unpayable: "Skipped invoices are drafts, are cancelled, or have no total.",
  },
  ro: {
    toList: "La listă",
    skipped: "Rândurile omise au fost șterse între timp sau noul responsabil nu este activ.",
    unpayable: "Facturile omise sunt ciorne, sunt anulate sau nu au total.",
  },
} satisfies InLanguages<object>;

/** Whether an import is a change of listed rows (imports/changing/). */
export function isChange({ reading }: Pick<Import, "reading">): boolean {
  return reading.namedById;
}

/** The words of an import's pages. */
export function importWordsOf(found: Pick<Import, "reading">, language: Language): (typeof importWords)[Language] {
  return isChange(found) ? { ...importWords[language], ...changeWords[language] } : importWords[language];
}
