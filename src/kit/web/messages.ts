import type { FieldErrors, FieldSentences } from "../../platform/fields/field-reasons.ts";
import { sentenceOf } from "../../platform/reason.ts";
import { counted, day, decimal, wholeNumber, type InLanguages, type Language, type Plural } from "./language.ts";

/** The labels of fields. */
export type FieldLabels<Name extends string = string> = Readonly<Record<Name, string>>;

/** Field -> its messages, in a page's language. */
export type FieldMessages = Record<string, string[]>;

/** The messages of fields in a page's language, with the page's labels. */
export function messagesIn(language: Language, errors: FieldErrors, labels: FieldLabels): FieldMessages {
  const said = Object.entries(errors).map(([field, reasons]) => {
    const label = labels[field] ?? field.replaceAll("_", " ");
    return [field, reasons.map((reason) => sentenceOf(sentences[language], reason, label))];
  });
  return Object.fromEntries(said) as FieldMessages;
}

const characters: InLanguages<Plural> = {
  en: { one: "character", other: "characters" },
  ro: { one: "caracter", few: "caractere", other: "de caractere" },
};
const marks: InLanguages<Plural> = {
  en: { one: "accent or other mark", other: "accents and other marks" },
  ro: { one: "accent sau alt semn", few: "accente și alte semne", other: "de accente și alte semne" },
};
const places: InLanguages<Plural> = {
  en: { one: "decimal place", other: "decimal places" },
  ro: { one: "zecimală", few: "zecimale", other: "de zecimale" },
};
const digits: InLanguages<Plural> = {
  en: { one: "digit", other: "digits" },
  ro: { one: "cifră", few: "cifre", other: "de cifre" },
};
const entries: InLanguages<Plural> = {
  en: { one: "entry", other: "entries" },
  ro: { one: "înregistrare", few: "înregistrări", other: "de înregistrări" },
};

const sentences: InLanguages<FieldSentences> = {
  en: {
    required: (l) => `${l} is required.`,
    requiredWithout: (l, { other }) => `The ${l} field is required when ${other} is not present.`,
    notText: (l) => `${l} must be text.`,
    notStorable: (l) => `${l} contains characters that cannot be stored.`,
    notEmail: (l) => `${l} must be an e-mail address, such as ana@example.com.`,
    notUrl: (l) => `${l} must be an address, such as https://example.com/hooks.`,
    notInteger: (l) => `${l} must be a whole number.`,
    notBoolean: (l) => `${l} is either on or off.`,
    notDate: (l) => `${l} must be a day that exists, such as 2026-12-01.`,
    notTimestamp: (l) => `${l} must be a day that exists, such as 2026-12-01.`,
    notZero: (l) => `${l} must not be 0.`,
    notDecimal: (l) => `${l} must be a number, such as 12.50.`,
    ambiguous: (l, { whole, decimals }) =>
      `${l} can mean ${decimal("en", whole)} or ${decimal("en", decimals)}. Please write ${whole}, or ${decimals}0.`,
    ambiguousDay: (l, { days: [one, other] }) => `${l} can mean ${day("en", one)} or ${day("en", other)}.`,
    notArray: (l) => `${l} must be a list.`,
    notObject: (l) => `${l} must be an entry.`,
    notSelectable: (l) => `Please choose a value for ${l} from the list.`,
    taken: (l) => `${l} is in use already. Please choose another one.`,
    notRemovable: (l) => `${l} cannot lose a value that records use. Archive it instead.`,
    noCustomField: (_l, { key }) => `There is no field ${key}.`,
    withWarehouse: () => "The invoice is with the warehouse, so it cannot be a draft again.",
    tooShort: (l, { bound }) => `${l} must have at least ${counted("en", bound, characters.en)}.`,
    tooLong: (l, { bound }) => `${l} can have at most ${counted("en", bound, characters.en)}.`,
    tooManyMarks: (l, { bound }) => `${l} can have at most ${counted("en", bound, marks.en)} on one letter.`,
    tooSmall: (l, { bound }) => `${l} must be ${wholeNumber("en", bound)} or more.`,
    tooLarge: (l, { bound }) => `${l} can be at most ${wholeNumber("en", bound)}.`,
    tooManyPlaces: (l, { bound }) => `${l} can have at most ${counted("en", bound, places.en)}.`,
    tooManyDigits: (l, { bound }) => `${l} can have at most ${counted("en", bound, digits.en)}.`,
    tooManyFields: (_l, { bound }) => `There are ${wholeNumber("en", bound)} fields already. Archive one first.`,
    tooManyArchived: (_l, { bound }) =>
      `There are ${wholeNumber("en", bound)} fields already, with archived ones. Delete one first.`,
    tooManyItems: (l, { bound }) => `${l} can have at most ${counted("en", bound, entries.en)}.`,
    passwordOfOwner: (l) => `${l} must not be the e-mail address or the workspace.`,
    passwordCommon: (l) => `${l} must not be one that many people use.`,
  },
  ro: {
    required: (l) => `Completați câmpul „${l}”.`,
    requiredWithout: (l, { other }) => `Completați ${l} sau ${other}.`,
    notText: (l) => `„${l}” trebuie să fie un text.`,
    notStorable: (l) => `„${l}” conține caractere care nu pot fi păstrate.`,
    notEmail: (l) => `„${l}” trebuie să fie o adresă de e-mail, de exemplu ana@example.com.`,
    notUrl: (l) => `„${l}” trebuie să fie o adresă, de exemplu https://example.com/hooks.`,
    notInteger: (l) => `„${l}” trebuie să fie un număr întreg.`,
    notBoolean: (l) => `„${l}” este fie pornit, fie oprit.`,
    notDate: (l) => `„${l}” trebuie să fie o zi care există, de exemplu 2026-12-01.`,
    notTimestamp: (l) => `„${l}” trebuie să fie o zi care există, de exemplu 2026-12-01.`,
    notZero: (l) => `„${l}” nu poate fi 0.`,
    notDecimal: (l) => `„${l}” trebuie să fie un număr, de exemplu 1.234,50.`,
    ambiguous: (l, { whole, decimals }) =>
      `„${l}” poate însemna ${decimal("ro", whole)} sau ${decimal("ro", decimals)}. Scrieți ${whole} sau ${decimals.replace(".", ",")}0.`,
    ambiguousDay: (l, { days: [one, other] }) => `„${l}” poate însemna ${day("ro", one)} sau ${day("ro", other)}.`,
    notArray: (l) => `„${l}” trebuie să fie o listă.`,
    notObject: (l) => `„${l}” trebuie să fie o înregistrare.`,
    notSelectable: (l) => `Alegeți din listă o valoare pentru „${l}”.`,
    taken: (l) => `„${l}” există deja. Alegeți altceva.`,
    notRemovable: (l) => `Din „${l}” nu se poate scoate o valoare folosită. Arhivați valoarea.`,
    noCustomField: (_l, { key }) => `Nu există câmpul ${key}.`,
    withWarehouse: () => "Factura este la depozit, deci nu poate redeveni ciornă.",
    tooShort: (l, { bound }) => `„${l}” trebuie să aibă cel puțin ${counted("ro", bound, characters.ro)}.`,
    tooLong: (l, { bound }) => `„${l}” poate avea cel mult ${counted("ro", bound, characters.ro)}.`,
    tooManyMarks: (l, { bound }) => `„${l}” poate avea cel mult ${counted("ro", bound, marks.ro)} pe o literă.`,
    tooSmall: (l, { bound }) => `„${l}” trebuie să fie cel puțin ${wholeNumber("ro", bound)}.`,
    tooLarge: (l, { bound }) => `„${l}” poate fi cel mult ${wholeNumber("ro", bound)}.`,
    tooManyPlaces: (l, { bound }) => `„${l}” poate avea cel mult ${counted("ro", bound, places.ro)}.`,
    tooManyDigits: (l, { bound }) => `„${l}” poate avea cel mult ${counted("ro", bound, digits.ro)}.`,
    tooManyFields: (_l, { bound }) => `Există deja ${wholeNumber("ro", bound)} de câmpuri. Arhivați întâi unul.`,
    tooManyArchived: (_l, { bound }) =>
      `Există deja ${wholeNumber("ro", bound)} de câmpuri, cu cele arhivate. Ștergeți întâi unul.`,
    tooManyItems: (l, { bound }) => `„${l}” poate avea cel mult ${counted("ro", bound, entries.ro)}.`,
    passwordOfOwner: (l) => `„${l}” nu poate fi adresa de e-mail sau spațiul de lucru.`,
    passwordCommon: (l) => `„${l}” nu poate fi una dintre parolele folosite de mulți.`,
  },
};
