import type { InLanguages, Language } from "../../web/language.ts";
import { sendErrors } from "../sending/send-errors.ts";

const MADE_BEFORE_LOSS =
  "Comanda a fost făcută înainte de pierderea datelor, iar factura este ca în copia de rezervă: verificați în depozit că liniile și totalul sunt aceleași.";

/** The reasons of send-errors.ts in Romanian. */
const ROMANIAN: readonly [form: RegExp, words: (...parts: string[]) => string][] = [
  [exactly(sendErrors.credentials), () => "Depozitul a refuzat cheia."],
  [exactly(sendErrors.disconnected), () => "Firma nu are o conexiune cu un depozit."],
  [exactly(sendErrors.unreachable), () => "Din această instalare nu se poate ajunge la niciun depozit."],
  [exactly(sendErrors.copied), () => "A venit cu o copie de rezervă a spațiului de lucru și nu se trimite singură."],
  [
    exactly(sendErrors.unknown),
    () => "Nu se știe dacă ultima încercare a ajuns la depozit; comanda este căutată mai întâi.",
  ],
  [exactly(sendErrors.gone), () => "Depozitul nu mai are această comandă."],
  [exactly(sendErrors.status("draft")), () => "Factura este o ciornă."],
  [exactly(sendErrors.status("cancelled")), () => "Factura este anulată."],
  [
    /^The warehouse has several orders of this invoice: (.+)\.$/,
    (ids) => `Depozitul are mai multe comenzi pentru această factură: ${ids}.`,
  ],
  [
    /^An order may exist at (\S+), which/,
    (instance) =>
      `Este posibil să existe o comandă la ${instance}, cu care firma nu mai este conectată. Conectați-o din nou ca să fie căutată acolo.`,
  ],
  [
    /^The warehouse answered with its order (\d+) of (.+), but this is (.+): it was not linked\. Correct/s,
    (id, theirs, ours) =>
      `Depozitul a răspuns cu comanda sa ${id}, a facturii ${theirs}, dar aceasta este ${ours}: nu a fost legată. Corectați comanda în depozit; sau, dacă altă instalare trimite acolo sub aceeași sursă, dați acesteia un LIAISON_WMS_SOURCE propriu. Apoi trimiteți factura din nou.`,
  ],
  [
    /^The warehouse answered with its order (\d+), but the invoice (.+) has that order/s,
    (id, number) =>
      `Depozitul a răspuns cu comanda sa ${id}, dar factura ${number} are acea comandă: nu a fost legată. Aflați în depozit a cui este, corectați-o pe cealaltă și trimiteți factura din nou.`,
  ],
  [
    /^An order of this invoice may have been made before the loss at (.+), which the company/,
    (instances) =>
      `Este posibil ca înainte de pierderea datelor să fi fost făcută o comandă a acestei facturi la ${instances}, unde firma a fost conectată înainte. Căutați acolo numărul facturii. Dacă are o comandă, conectați firma din nou cu acel depozit: comanda este legată. Dacă aici nu lipsește nicio comandă a firmei, confirmați pe pagina facturii: apoi este trimisă.`,
  ],
  [exactly(sendErrors.beforeLoss), () => MADE_BEFORE_LOSS],
  [
    new RegExp(`^${RegExp.escape(sendErrors.beforeLoss)} The order's total is (.+), the invoice's is (.+)\\.$`),
    (theirs, ours) => `${MADE_BEFORE_LOSS} Totalul comenzii este ${theirs}, al facturii ${ours}.`,
  ],
  [
    /^The order's total is (.+), the invoice's is (.+)\.$/,
    (theirs, ours) => `Totalul comenzii este ${theirs}, al facturii ${ours}.`,
  ],
  [/^The warehouse asks to wait\.$/, () => "Depozitul cere o pauză."],
  [/^The warehouse's address takes no orders \(404\)\.$/, () => "La adresa depozitului nu se primesc comenzi (404)."],
  [/^The warehouse cannot be reached \((.+)\)\.$/, (reason) => `Nu se poate ajunge la depozit (${reason}).`],
  [
    /^The warehouse gave no usable answer \((.+)\)\.$/,
    (reason) => `Depozitul nu a dat un răspuns utilizabil (${reason}).`,
  ],
];

const GAVE_UP = /^Given up after 20 attempts\. (.*)$/;

const SAYS: InLanguages<(text: string) => string> = {
  en: (text) => `The warehouse says: “${text}”`,
  ro: (text) => `Depozitul spune: „${text}”`,
};

/** A reason in a page's language. The words of a warehouse itself stay as they are, and are said to be its own. */
export function sendErrorIn(language: Language, text: string | null): string | null {
  if (text === null) return null;
  const [, inner] = GAVE_UP.exec(text) ?? [];
  if (inner !== undefined) {
    return language === "en" ? text : `S-a renunțat după 20 de încercări. ${sendErrorIn(language, inner)}`;
  }
  for (const [form, words] of ROMANIAN) {
    const match = form.exec(text);
    if (match !== null) return language === "en" ? text : words(...match.slice(1));
  }
  return SAYS[language](text);
}

function exactly(text: string): RegExp {
  return new RegExp(`^${RegExp.escape(text)}$`);
}
