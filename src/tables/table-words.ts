import { wholeNumber, type InLanguages } from "../web/language.ts";

/** The words that all lists share. */
export const tableWords = {
  en: {
    filters: "Filters",
    sort: "Sort",
    any: "Any",
    apply: "Apply",
    search: "Search",
    narrowed: "In this list",
    remove: "Remove filter:",
    clear: "Clear filters",
    columns: "Columns",
    columnsDefault: "Default columns",
    columnsSaved: "The columns were saved.",
    export: "Export this list as CSV",
    exportSelected: "Export",
    bulk: "Change the selected rows",
    selected: "Selected:",
    select: (name: string) => `Select ${name}`,
    selectPage: "Select all on this page",
    /** On a phone, for the checkboxes of the rows, which are hidden there. */
    choose: "Choose",
    selectAll: (total: number, isCut: boolean) =>
      isCut ? "Select all that match" : `Select all ${wholeNumber("en", total)}`,
    change: "Change",
    leave: "No change",
  },
  ro: {
    filters: "Filtre",
    sort: "Ordine",
    any: "Oricare",
    apply: "Aplică",
    search: "Căutare",
    narrowed: "În această listă",
    remove: "Elimină filtrul:",
    clear: "Arată toate, fără filtre",
    columns: "Coloane",
    columnsDefault: "Coloanele obișnuite",
    columnsSaved: "Coloanele au fost salvate.",
    export: "Exportă această listă ca CSV",
    exportSelected: "Exportă",
    bulk: "Modifică rândurile selectate",
    selected: "Selectate:",
    select: (name: string) => `Selectează ${name}`,
    selectPage: "Selectează tot de pe pagină",
    choose: "Alege",
    selectAll: (total: number, isCut: boolean) =>
      isCut ? "Tot ce se potrivește" : `Toate cele ${wholeNumber("ro", total)}`,
    change: "Modifică",
    leave: "Neschimbat",
  },
} satisfies InLanguages<object>;
