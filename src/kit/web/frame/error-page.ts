import { html, type Html } from "../html.ts";
import type { InLanguages, Language } from "../language.ts";

/** Additions to the page of an error: another text, and ways on. */
export type ErrorDetails = { text?: string; next?: Html };

type Words = { title: string; text: string };

const words: InLanguages<{ byStatus: Record<number, Words>; other: Words; link: string; operatorLink: string }> = {
  en: {
    byStatus: {
      403: { title: "Not allowed", text: "This page or form is not open to you. Nothing was changed." },
      404: { title: "Not found", text: "There is nothing at this address, or it was deleted." },
      413: { title: "Too large", text: "What you sent is too large for a form. Nothing was changed." },
      422: {
        title: "Too much at once",
        text: "More was chosen than one form takes. Nothing was changed; go back and choose fewer at a time, 200 at most.",
      },
      429: { title: "Too many requests", text: "Please wait for a moment, then try again." },
      503: {
        title: "Please try again",
        text: "Liaison is busy at the moment. Nothing was changed; try again shortly.",
      },
    },
    other: {
      title: "Something went wrong",
      text: "This could not be done. The reason is in the server's log.",
    },
    link: "Go to the companies",
    operatorLink: "Go to the workspaces",
  },
  ro: {
    byStatus: {
      403: {
        title: "Nepermis",
        text: "Această pagină sau acest formular nu vă este accesibil. Nimic nu s-a schimbat.",
      },
      404: { title: "Nu există", text: "La această adresă nu este nimic sau a fost șters." },
      413: { title: "Prea mare", text: "Ați trimis mai mult decât încape într-un formular. Nimic nu s-a schimbat." },
      422: {
        title: "Prea multe deodată",
        text: "S-au ales mai multe decât încap într-un formular. Nimic nu s-a schimbat; întoarceți-vă și alegeți mai puține, cel mult 200 o dată.",
      },
      429: { title: "Prea multe cereri", text: "Așteptați puțin, apoi încercați din nou." },
      503: { title: "Încercați din nou", text: "Liaison este ocupat acum. Nimic nu s-a schimbat; reveniți imediat." },
    },
    other: { title: "Ceva nu a mers", text: "Nu s-a putut face. Operatorul găsește motivul în jurnal." },
    link: "Înapoi la firme",
    operatorLink: "Înapoi la spațiile de lucru",
  },
};

/**
 * The page of an error. Missing, deleted and other tenants' resources have the same page.
 * @param more `text` replaces the usual text, `next` is shown below it
 */
export function errorPage(
  status: number,
  language: Language,
  isOperator: boolean,
  more: ErrorDetails = {},
): { title: string; main: Html } {
  const { byStatus, other, link, operatorLink } = words[language];
  const { title, text } = byStatus[status] ?? other;
  const way = isOperator
    ? html`<a href="/operator/tenants">${operatorLink}</a>`
    : html`<a href="/companies">${link}</a>`;
  return {
    title,
    main: html`<section class="message"><h1>${title}</h1><p>${more.text ?? text}</p>${more.next}<p>${way}</p></section>`,
  };
}
