import { counted, wholeNumber, type InLanguages } from "../../../kit/web/language.ts";

const companies = (count: number) => counted("en", count, { one: "company", other: "companies" });
const firms = (count: number) => counted("ro", count, { one: "firmă", few: "firme", other: "de firme" });

/** The words of a connection that several companies get. */
export const connectWords = {
  en: {
    label: "Warehouse…",
    back: "Companies",
    title: (count: number) => `Connect ${companies(count)} to a warehouse`,
    about: "Each of them gets this connection as its own, with its own copy of the key.",
    own: (count: number) =>
      `${companies(count)} already ${count === 1 ? "has a connection of its own" : "have connections of their own"}: the old key is deleted.`,
    never: (count: number) =>
      `${companies(count)} ${count === 1 ? "is" : "are"} set to be sent to no warehouse. That ends.`,
    underWay: (count: number) =>
      `${counted("en", count, { one: "order is", other: "orders are" })} under way. An order stays at the warehouse that it was sent to, and is no longer followed if that is another one.`,
    noUndo: "This has no undo, because old keys are not kept. Each company's page can change its connection again.",
    submit: (count: number) => `Connect ${companies(count)}`,
    tooManyTitle: (most: number) => `At most ${wholeNumber("en", most)} companies at once`,
    tooMany: "Narrow the list. One connection for all companies without their own is that of the workspace:",
    toWorkspace: "Warehouse of the workspace",
    connected: (count: number) =>
      `${counted("en", count, { one: "company is", other: "companies are" })} connected with the warehouse.`,
    left: (count: number) =>
      `${counted("en", count, { one: "company was", other: "companies were" })} deleted in the meantime.`,
  },
  ro: {
    label: "Depozit…",
    back: "Firme",
    title: (count: number) => `Conectați ${firms(count)} la un depozit`,
    about: "Fiecare primește această conexiune ca fiind a ei, cu o copie proprie a cheii.",
    own: (count: number) =>
      `${firms(count)} ${count === 1 ? "are deja o conexiune proprie" : "au deja conexiuni proprii"}: cheia veche este uitată.`,
    never: (count: number) =>
      `${firms(count)} ${count === 1 ? "nu se trimite" : "nu se trimit"} acum la niciun depozit. De acum înainte ${count === 1 ? "se trimite" : "se trimit"}.`,
    underWay: (count: number) =>
      `${counted("ro", count, { one: "comandă este", few: "comenzi sunt", other: "de comenzi sunt" })} în curs. O comandă rămâne la depozitul la care a fost trimisă și nu mai este urmărită dacă acela este altul.`,
    noUndo:
      "Acțiunea nu poate fi anulată, pentru că vechile chei nu se păstrează. Conexiunea se poate schimba pe pagina fiecărei firme.",
    submit: (count: number) => `Conectează ${firms(count)}`,
    tooManyTitle: (most: number) => `Cel mult ${wholeNumber("ro", most)} de firme deodată`,
    tooMany:
      "Restrângeți lista. O singură conexiune pentru toate firmele fără una proprie este cea a spațiului de lucru:",
    toWorkspace: "Depozitul spațiului de lucru",
    connected: (count: number) =>
      `${counted("ro", count, { one: "firmă este conectată", few: "firme sunt conectate", other: "de firme sunt conectate" })} la depozit.`,
    left: (count: number) =>
      `${counted("ro", count, { one: "firmă a fost ștearsă", few: "firme au fost șterse", other: "de firme au fost șterse" })} între timp.`,
  },
} satisfies InLanguages<object>;
