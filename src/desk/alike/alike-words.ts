import { html } from "../../kit/web/html.ts";
import { counted, type InLanguages } from "../../kit/web/language.ts";
import type { NoticeWords } from "../../kit/web/notice.ts";
import { isId } from "../../platform/ids.ts";

/** The texts of the pages about companies that look the same. */
export const alikeWords = {
  en: {
    title: "Possible duplicates",
    states: { sure: "Sure", probable: "Probable", not: "Not the same" },
    show: "Show",
    same: "Same",
    merge: "Merge",
    notSame: "Not the same",
    isSame: "May be the same",
    said: "They are not offered as duplicates any more.",
    takenBack: "They may be the same again.",
    undo: "Undo",
    none: "No companies look the same here.",
    noneNot: "No pair was marked as not the same.",
    more: "More",
    back: "Companies",
    mine: (count: number) =>
      `${counted("en", count, { one: "possible duplicate", other: "possible duplicates" })} among your companies.`,
  },
  ro: {
    title: "Dubluri posibile",
    states: { sure: "Sigure", probable: "Probabile", not: "Nu sunt aceeași firmă" },
    show: "Arată",
    same: "Au la fel",
    merge: "Contopește",
    notSame: "Nu este aceeași",
    isSame: "Poate fi aceeași",
    said: "Nu mai sunt propuse ca dubluri.",
    takenBack: "Pot fi din nou aceeași firmă.",
    undo: "Anulează",
    none: "Aici nu sunt firme care seamănă.",
    noneNot: "Nicio pereche nu a fost marcată ca firme diferite.",
    more: "Mai multe",
    back: "Firme",
    mine: (count: number) =>
      `${counted("ro", count, { one: "dublură posibilă", few: "dubluri posibile", other: "de dubluri posibile" })} printre firmele tale.`,
  },
} satisfies InLanguages<object>;

export const alikeNotices: NoticeWords = {
  "not-alike": ({ id = "", other = "" }, language) => {
    const words = alikeWords[language];
    return html`${words.said} ${isId(id) && isId(other) && html`<form method="post" action="/companies/${id}/alike/${other}"><button class="link">${words.undo}</button></form>`}`;
  },
  "alike-again": (_values, language) => html`${alikeWords[language].takenBack}`,
};
