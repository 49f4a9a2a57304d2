import { html } from "../../kit/web/html.ts";
import { counted, day, type InLanguages } from "../../kit/web/language.ts";
import type { NoticeWords } from "../../kit/web/notice.ts";

export const erasureWords = {
  en: {
    title: (name: string) => `Erase ${name} for good?`,
    what: "The contact and everything that Liaison keeps about this person are removed. They cannot be restored. Older backups still have them.",
    changes: (count: number) =>
      `${counted("en", count, { one: "change", other: "changes" })} in the history will only say who made them and when.`,
    activities: (count: number, notes: number) =>
      `${counted("en", count, { one: "activity stays", other: "activities stay" })} with the company without the name, and ${counted("en", notes, { one: "note is", other: "notes are" })} removed.`,
    file: (file: string, date: string) =>
      `The file ${file} may name this person. It is removed by itself on ${day("en", date)}.`,
    elsewhere: "What was written about this person elsewhere, in a company’s notes for example, stays: look there too.",
    erase: "Erase for good",
    erased: (rows: number) =>
      `Erased. ${counted("en", rows, { one: "row was", other: "rows were" })} removed or emptied.`,
  },
  ro: {
    title: (name: string) => `Ștergeți definitiv datele despre ${name}?`,
    what: "Persoana de contact și tot ce păstrează Liaison despre ea se șterg. Nimeni nu le mai poate aduce înapoi aici; copiile de rezervă de dinainte le conțin în continuare.",
    changes: (count: number) =>
      `În istoric, ${counted("ro", count, { one: "modificare va spune", few: "modificări vor spune", other: "de modificări vor spune" })} doar cine a făcut-o și când.`,
    activities: (count: number, notes: number) =>
      `${counted("ro", count, { one: "activitate rămâne", few: "activități rămân", other: "de activități rămân" })} la firmă fără nume, iar ${counted("ro", notes, { one: "notă se șterge", few: "note se șterg", other: "de note se șterg" })}.`,
    file: (file: string, date: string) =>
      `Fișierul ${file} poate conține numele acestei persoane. Se șterge singur la ${day("ro", date)}.`,
    elsewhere:
      "Ce s-a scris despre această persoană în altă parte, de exemplu în notele firmei, rămâne: verificați și acolo.",
    erase: "Șterge definitiv",
    erased: (rows: number) =>
      `S-a șters definitiv. ${counted("ro", rows, { one: "rând a fost șters sau golit", few: "rânduri au fost șterse sau golite", other: "de rânduri au fost șterse sau golite" })}.`,
  },
} satisfies InLanguages<object>;

/** The notice after an erasure. */
export const erasureNotices: NoticeWords = {
  "contact-erased": ({ rows }, language) => html`${erasureWords[language].erased(Number(rows) || 0)}`,
};
