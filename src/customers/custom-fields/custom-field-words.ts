import { html } from "../../kit/web/html.ts";
import { counted, type InLanguages } from "../../kit/web/language.ts";
import type { FieldLabels } from "../../kit/web/messages.ts";
import type { NoticeWords } from "../../kit/web/notice.ts";
import type { NameOf } from "../../platform/fields/fields.ts";
import type { CustomKind, CustomNoun, definitionFields } from "./custom-field.ts";

type Labels = FieldLabels<NameOf<typeof definitionFields>>;

export const customFieldWords = {
  en: {
    title: "Fields",
    about:
      "Facts of your own about companies, contacts and invoices, such as a price list. Everybody sees them, and programs use them by their keys.",
    new: "New field",
    create: "Create field",
    empty: "No fields yet. Add one for each fact that Liaison has no place for.",
    labels: {
      noun: "Belongs to",
      key: "Key",
      label: "Name",
      kind: "Kind",
      options: "Choices",
      help: "Help",
      position: "Place",
      archived: "Archived",
    } satisfies Labels,
    nouns: { company: "Companies", contact: "Contacts", invoice: "Invoices" } satisfies Record<CustomNoun, string>,
    kinds: {
      text: "Text",
      number: "Number",
      date: "Day",
      yes_no: "Yes or no",
      choice: "Choice",
    } satisfies Record<CustomKind, string>,
    keyHint: "What programs call it, such as price_list. Leave it empty to have it made of the name.",
    helpHint: "A line below the input.",
    positionHint: "Fields with smaller numbers come first. Leave it empty for the last place.",
    optionsHint: "Of a choice: one on each line.",
    moreOptions: "More choices",
    oneOf: (some: string) => `Type one of its choices, such as ${some}.`,
    option: (value: string) => `Choice ${value}`,
    archivedOption: (value: string) => `${value} is archived`,
    state: "Status",
    inUse: "In use",
    isArchived: "Archived",
    archivedTitle: "Archived fields",
    archive: "Archive",
    archiveHint: "The field is no longer shown. Its values stay, and come back with it.",
    bringBack: "Bring back",
    bringBackHint: "The field is shown again, with its values.",
    delete: "Delete field",
    deleteHint: "Deletes the field and all its values.",
    deleteTitle: (label: string) => `Delete the field ${label}?`,
    deleteText: (count: number) =>
      `Its values go with it, and cannot be brought back: those of ${counted("en", count, { one: "record", other: "records" })}.`,
    changedMeanwhile: "Somebody else has changed this field meanwhile. Save again to replace that.",
    saved: "Saved.",
    deleted: "The field is deleted. Its values are being removed.",
    goneFilter: (name: string) => `Archived or deleted field (${name})`,
    notArchived: "Only an archived field can be deleted.",
    none: "—",
  },
  ro: {
    title: "Câmpuri",
    about:
      "Date proprii despre firme, contacte și facturi, de exemplu o listă de prețuri. Le vede toată lumea, iar programele le folosesc după cheie.",
    new: "Câmp nou",
    create: "Adaugă câmpul",
    empty: "Nu există încă niciun câmp. Adăugați câte unul pentru fiecare informație care nu are loc în Liaison.",
    labels: {
      noun: "Aparține de",
      key: "Cheie",
      label: "Denumire",
      kind: "Tip",
      options: "Variante",
      help: "Explicație",
      position: "Loc",
      archived: "Arhivat",
    } satisfies Labels,
    nouns: { company: "Firme", contact: "Contacte", invoice: "Facturi" } satisfies Record<CustomNoun, string>,
    kinds: {
      text: "Text",
      number: "Număr",
      date: "Dată",
      yes_no: "Da sau nu",
      choice: "Listă de variante",
    } satisfies Record<CustomKind, string>,
    keyHint: "Numele folosit de programe, de exemplu lista_de_preturi. Dacă rămâne gol, se formează din denumire.",
    helpHint: "Un rând sub câmp.",
    positionHint: "Câmpurile cu numere mai mici apar primele. Dacă rămâne gol, câmpul apare ultimul.",
    optionsHint: "Pentru o listă de variante: câte una pe rând.",
    moreOptions: "Alte variante",
    oneOf: (some: string) => `Scrieți una dintre variante, de exemplu ${some}.`,
    option: (value: string) => `Varianta ${value}`,
    archivedOption: (value: string) => `${value} este arhivată`,
    state: "Stare",
    inUse: "În folosință",
    isArchived: "Arhivat",
    archivedTitle: "Câmpuri arhivate",
    archive: "Arhivează",
    archiveHint: "Câmpul nu se mai afișează. Valorile rămân și revin odată cu el.",
    bringBack: "Readuce",
    bringBackHint: "Câmpul se afișează din nou, cu valorile lui.",
    delete: "Șterge câmpul",
    deleteHint: "Șterge câmpul și toate valorile lui.",
    deleteTitle: (label: string) => `Ștergeți câmpul ${label}?`,
    deleteText: (count: number) =>
      `Odată cu el se șterg definitiv valorile din ${counted("ro", count, { one: "fișă", few: "fișe", other: "de fișe" })}.`,
    changedMeanwhile:
      "Altcineva a modificat între timp acest câmp. Salvați din nou dacă doriți să înlocuiți modificarea.",
    saved: "Salvat.",
    deleted: "Câmpul este șters. Valorile lui se șterg acum.",
    goneFilter: (name: string) => `Câmp arhivat sau șters (${name})`,
    notArchived: "Se poate șterge numai un câmp arhivat.",
    none: "—",
  },
} satisfies InLanguages<object>;

/** Notices on the next page after an action on a field. */
export const customFieldNotices: NoticeWords = {
  "field-saved": (_values, language) => html`${customFieldWords[language].saved}`,
  "field-deleted": (_values, language) => html`${customFieldWords[language].deleted}`,
  "field-in-use": (_values, language) => ({
    meaning: "attention",
    line: html`${customFieldWords[language].notArchived}`,
  }),
};
