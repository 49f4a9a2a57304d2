import { sentences } from "../../kit/errors.ts";
import type { InLanguages } from "../../kit/web/language.ts";
import { fieldMessages, type FieldErrors } from "../../platform/fields/field-reasons.ts";
import { sentenceOf, type Sentences } from "../../platform/reason.ts";
import { Refusal } from "../../platform/refusal.ts";

/** Formats that are neither CSV nor a workbook, by the names that people know. */
export type OtherFormat =
  | "HTML"
  | "XML"
  | "OpenDocument"
  | "XLSB"
  | "Numbers"
  | "Word"
  | "PowerPoint"
  | "JSON"
  | "vCard"
  | "PDF"
  | "RTF"
  | "DBF"
  | "SYLK";

/** Why a workbook cannot be read. */
export type WorkbookReason =
  | "workbookDamaged"
  | "workbookLocked"
  | "workbookMacros"
  | "workbookTooLarge"
  | "workbookTooManyRows"
  | "workbookTooManyColumns"
  | "workbookEntities"
  | "workbookEmpty"
  | "workbookNoRoom";

/** Why a file cannot be imported, or why one of its rows is invalid as a whole. */
export type ImportReason =
  | {
      code:
        | "empty"
        | "archive"
        | "binary"
        | "notUtf8"
        | "tooLong"
        | "badQuotes"
        | "refused"
        | "sent"
        | "total"
        | "shortened"
        | "lostLetters"
        | "nothingAbove"
        | "severalPersons"
        | "titleRow"
        | "mergedAmount"
        | "currencyUnknown"
        | "thereAlready"
        | "recordGone"
        | "noInvoiceNamed"
        | "paymentOfDraft"
        | "paymentOfCancelled"
        | WorkbookReason;
    }
  | { code: "otherFormat"; format: OtherFormat }
  /** The currency in the cell of an amount, and the one in the column. */
  | { code: "currencies"; amount: string; column: string }
  | { code: "invoiceCurrency"; amount: string; invoice: string }
  | { code: "headerUnreadable"; why: ImportReason }
  | { code: "invoiceMissing"; named: string }
  /** `split`: a text that splits the amount among the invoices, the oldest first. */
  | { code: "severalInvoices"; numbers: readonly string[]; split: string }
  | { code: "columnTwice"; column: string }
  | { code: "columnMissing"; columns: readonly string[] }
  | { code: "tooManyColumns" | "tooManyCells" | "tooManyLines"; most: number }
  | { code: "cellsMissing"; cells: number; columns: number }
  | { code: "tooManyAlike"; most: number; field: string; value: string }
  | { code: "companiesAlike"; name: string }
  | { code: "fiscalIdsAlike"; value: string; others: readonly string[] }
  /** `line`: of the total, or of the header of another table. */
  | { code: "behindTotal" | "behindTable"; line: number }
  | { code: "headerAgain" | "otherTable" | "pageMark" }
  /**
   * The row means the same record as the row of an earlier line. `shared`: an identity that rows of different names
   * have.
   */
  | { code: "sameRow"; line: number; shared?: string };

/** Of a row that was to change a certain record. */
export const GONE: ImportReason = { code: "recordGone" };

/** Formats that need more than their name. */
const KINDS: InLanguages<Partial<Record<OtherFormat, string>>> = {
  en: {
    HTML: "an HTML page, even if its name says another format",
    XML: "an XML file, even if its name says another format",
    OpenDocument: "an OpenDocument spreadsheet (ODS)",
    XLSB: "a binary workbook (XLSB)",
    Numbers: "a Numbers document",
    vCard: "a list of vCards",
  },
  ro: {
    HTML: "o pagină HTML, chiar dacă numele arată alt format",
    XML: "un fișier XML, chiar dacă numele arată alt format",
    OpenDocument: "o foaie de calcul OpenDocument (ODS)",
    XLSB: "un registru de calcul binar (XLSB)",
    Numbers: "un document Numbers",
    vCard: "o listă de cărți de vizită vCard",
  },
};

/** Whether a spreadsheet opens the format. */
function isSheet(format: OtherFormat): boolean {
  return ["HTML", "XML", "OpenDocument", "XLSB", "Numbers", "DBF", "SYLK"].includes(format);
}

const reasons: InLanguages<Sentences<ImportReason>> = {
  en: {
    empty: () => "The file is empty: its first row names the columns.",
    archive: () => "The file is no text, but a workbook or another archive.",
    binary: () => "The file is no list: a picture, an archive, or damaged. Please save the list as XLSX or CSV.",
    otherFormat: ({ format }) =>
      `The file is ${KINDS.en[format] ?? `a file of the format ${format}`}. ${isSheet(format) ? "Please open it in a spreadsheet and save it as XLSX or CSV." : "Please export the list as XLSX or CSV."}`,
    headerUnreadable: ({ why }) => `The header row cannot be read. ${importReasonIn("en", why)}`,
    columnTwice: ({ column }) => `The header names the column ${column} twice.`,
    columnMissing: ({ columns }) => `The header has no column ${columns.join(" or ")}.`,
    tooManyColumns: ({ most }) => `The header names more than ${most} columns.`,
    notUtf8: () => "The row is not valid UTF-8.",
    tooLong: () => "The row is too long.",
    badQuotes: () => "The row has a quotation mark where CSV allows none, or one that is never closed.",
    tooManyCells: ({ most }) => `The row has more than ${most} cells.`,
    cellsMissing: ({ cells, columns }) => `The row has ${cells} cells where the header has ${columns}.`,
    tooManyAlike: ({ most, field, value }) => `More than ${most} rows have the ${field} ${value}.`,
    companiesAlike: ({ name }) => `More than one company is called “${name}”: use the fiscal id.`,
    fiscalIdsAlike: ({ value, others }) =>
      `The fiscal id ${value} may be ${others.join(" or ")}: write it as the company has it.`,
    thereAlready: () => "It is there already.",
    recordGone: () => "The record that it was to change was deleted or merged meanwhile.",
    sameRow: ({ line, shared }) =>
      shared === undefined
        ? `The row means the same record as row ${line}.`
        : `Row ${line} has the fiscal id ${shared} too, with another name.`,
    behindTotal: ({ line }) => `The row is below the total in row ${line}.`,
    headerAgain: () => "The row repeats the names of the columns, or numbers them.",
    otherTable: () => "Another table begins here, with its columns in another order. Please import it by itself.",
    behindTable: ({ line }) => `The row belongs to another table, which begins in row ${line}.`,
    pageMark: () => "The row is only the number of a page.",
    paymentOfDraft: () => `${sentences.paymentRefused} ${sentences.paymentRefusedFor.draft}`,
    paymentOfCancelled: () => `${sentences.paymentRefused} ${sentences.paymentRefusedFor.cancelled}`,
    noInvoiceNamed: () => "The text names no invoice.",
    severalInvoices: ({ numbers }) => `It may pay ${numbers.join(" or ")}: choose the invoice, or write its number.`,
    invoiceMissing: ({ named }) => `There is no invoice ${named}.`,
    refused: () => "The database refused the row.",
    sent: () => "Cannot change an invoice that was sent to the warehouse.",
    tooManyLines: ({ most }) => `The lines field must not have more than ${most} items.`,
    total: () => "The row looks like a total of the rows above it.",
    shortened: () => "The spreadsheet has shortened this number. Format the column as text and save it again.",
    lostLetters: () => "Letters of this text were lost before the file was saved. Write it again.",
    nothingAbove: () => "The cell repeats the one above it, which has no value.",
    severalPersons: () => "This is not the name of one person. Give each person a row, and a telephone a column.",
    titleRow: () => "Only this cell is filled: it is a title, or a company without any other value.",
    mergedAmount: () => "The amount's cell is merged over several rows. Write the amount of each row.",
    currencyUnknown: () => "This is not one known currency. Write its code, such as EUR.",
    currencies: ({ amount, column }) => `The amount is in ${amount}, and the row also says ${column}.`,
    invoiceCurrency: ({ amount, invoice }) => `The amount is in ${amount}, and the invoice is in ${invoice}.`,
    workbookDamaged: () =>
      "The workbook is damaged, or is none. Please open it in a spreadsheet and save it as XLSX again.",
    workbookLocked: () =>
      "The workbook has a password, or is of the old format (XLS). Please save it as XLSX without a password.",
    workbookMacros: () => "The workbook has macros. Please save it as XLSX without macros.",
    workbookTooLarge: () =>
      "The workbook is too large when unpacked: at most 512 MB and a million different texts. Please split it, or save the sheet as CSV.",
    workbookTooManyRows: () => "The sheet has more than a million rows. Please split it and upload the parts.",
    workbookTooManyColumns: () =>
      "The sheet has values beyond column 500. Please remove the columns that you do not need.",
    workbookEntities: () =>
      "The workbook defines entities, which no spreadsheet does. Please open it in a spreadsheet and save it as XLSX again.",
    workbookEmpty: () => "The sheet is empty.",
    workbookNoRoom: () =>
      "The rows of the workbook need more space than your imports have left. Please cancel imports that have not started.",
  },
  ro: {
    empty: () => "Fișierul este gol: primul rând denumește coloanele.",
    archive: () => "Fișierul nu este text, ci un registru de calcul sau o arhivă. Vă rugăm să îl salvați ca CSV.",
    binary: () =>
      "Fișierul nu este o listă: este o imagine, o arhivă sau e deteriorat. Vă rugăm să salvați lista ca XLSX sau CSV.",
    otherFormat: ({ format }) =>
      `Fișierul este ${KINDS.ro[format] ?? `în formatul ${format}`}. ${isSheet(format) ? "Vă rugăm să îl deschideți într-o aplicație de calcul și să îl salvați ca XLSX sau CSV." : "Vă rugăm să exportați lista ca XLSX sau CSV."}`,
    headerUnreadable: ({ why }) => `Rândul cu denumirile coloanelor nu poate fi citit. ${importReasonIn("ro", why)}`,
    columnTwice: ({ column }) => `Coloana ${column} apare de două ori.`,
    columnMissing: ({ columns }) => `Lipsește coloana ${columns.join(" sau ")}.`,
    tooManyColumns: ({ most }) => `Antetul are peste ${most} de coloane.`,
    notUtf8: () => "Rândul nu este text UTF-8.",
    tooLong: () => "Rândul este prea lung.",
    badQuotes: () => "Rândul are ghilimele acolo unde CSV nu le permite sau care nu se închid.",
    tooManyCells: ({ most }) => `Rândul are peste ${most} de celule.`,
    cellsMissing: ({ cells, columns }) => `Rândul are ${cells} celule, iar antetul are ${columns}.`,
    tooManyAlike: ({ most, field, value }) => `Peste ${most} de rânduri au ${field} ${value}.`,
    companiesAlike: ({ name }) => `Mai multe firme se numesc „${name}”: folosiți codul fiscal.`,
    fiscalIdsAlike: ({ value, others }) =>
      `Codul fiscal ${value} poate fi ${others.join(" sau ")}: scrieți-l ca la firmă.`,
    thereAlready: () => "Există deja.",
    recordGone: () => "Înregistrarea pe care trebuia să o modifice a fost ștearsă sau unită între timp.",
    sameRow: ({ line, shared }) =>
      shared === undefined
        ? `Rândul descrie același lucru ca rândul ${line}.`
        : `Și rândul ${line} are codul fiscal ${shared}, cu altă denumire.`,
    behindTotal: ({ line }) => `Rândul este sub totalul din rândul ${line}.`,
    headerAgain: () => "Rândul repetă sau numerotează numele coloanelor.",
    otherTable: () => "Aici începe alt tabel, cu coloanele în altă ordine. Vă rugăm să îl importați separat.",
    behindTable: ({ line }) => `Rândul face parte din alt tabel, care începe la rândul ${line}.`,
    pageMark: () => "Rândul este doar numărul unei pagini.",
    paymentOfDraft: () => "Factura este o ciornă, deci nu primește încasări.",
    paymentOfCancelled: () => "Factura este anulată, deci primește doar restituiri.",
    noInvoiceNamed: () => "Textul nu numește nicio factură.",
    severalInvoices: ({ numbers }) => `Poate plăti ${numbers.join(" sau ")}: alegeți factura sau scrieți-i numărul.`,
    invoiceMissing: ({ named }) => `Nu există factura ${named}.`,
    refused: () => "Baza de date a refuzat rândul.",
    sent: () => "O factură trimisă la depozit nu se mai schimbă.",
    tooManyLines: ({ most }) => `O factură poate avea cel mult ${most} linii.`,
    total: () => "Rândul pare a fi totalul rândurilor de deasupra.",
    shortened: () =>
      "Aplicația de calcul a scurtat acest număr. Formatați coloana ca text și salvați fișierul din nou.",
    lostLetters: () => "Literele acestui text s-au pierdut înainte de salvarea fișierului. Scrieți-l din nou.",
    nothingAbove: () => "Celula o repetă pe cea de deasupra, care nu are valoare.",
    severalPersons: () =>
      "Nu este numele unei singure persoane. Dați fiecărei persoane un rând și telefonului o coloană.",
    titleRow: () => "Doar această celulă e completată: este un titlu sau o firmă fără alte date.",
    mergedAmount: () => "Celula sumei este îmbinată pe mai multe rânduri. Scrieți suma fiecărui rând.",
    currencyUnknown: () => "Nu este o singură monedă cunoscută. Scrieți-i codul, de exemplu EUR.",
    currencies: ({ amount, column }) => `Suma este în ${amount}, dar rândul spune și ${column}.`,
    invoiceCurrency: ({ amount, invoice }) => `Suma este în ${amount}, iar factura este în ${invoice}.`,
    workbookDamaged: () =>
      "Registrul de calcul este deteriorat sau fișierul este de alt fel. Vă rugăm să îl deschideți și să îl salvați din nou ca XLSX.",
    workbookLocked: () =>
      "Registrul de calcul are parolă sau este în formatul vechi (XLS). Vă rugăm să îl salvați ca XLSX, fără parolă.",
    workbookMacros: () => "Registrul de calcul are macrocomenzi. Vă rugăm să îl salvați ca XLSX, fără macrocomenzi.",
    workbookTooLarge: () =>
      "Registrul de calcul este prea mare după dezarhivare: cel mult 512 MB și un milion de texte diferite. Vă rugăm să îl împărțiți sau să salvați foaia ca CSV.",
    workbookTooManyRows: () => "Foaia are peste un milion de rânduri. Vă rugăm să o împărțiți și să încărcați părțile.",
    workbookTooManyColumns: () =>
      "Foaia are valori dincolo de coloana 500. Vă rugăm să ștergeți coloanele de care nu aveți nevoie.",
    workbookEntities: () =>
      "Registrul de calcul definește entități, ceea ce nicio aplicație de calcul nu face. Vă rugăm să îl deschideți și să îl salvați din nou ca XLSX.",
    workbookEmpty: () => "Foaia este goală.",
    workbookNoRoom: () =>
      "Rândurile registrului de calcul ocupă mai mult spațiu decât mai au importurile. Vă rugăm să opriți importurile care încă nu au început.",
  },
};

/** The English sentences are also those of the API and the commands. */
export function importReasonIn(language: "en" | "ro", reason: ImportReason): string {
  return sentenceOf(reasons[language], reason);
}

/** The errors of a row as the commands print them: by field, and under `row` those of the whole row. */
export function rowMessages({ errors, row }: WrongRow): Record<string, string[]> {
  // A field without a sentence of its own only shows what the row's is about.
  const own = Object.fromEntries(Object.entries(errors).filter(([, reasons]) => reasons.length > 0));
  return { ...(row !== undefined && { row: [importReasonIn("en", row)] }), ...fieldMessages(own) };
}

type WrongRow = { errors: FieldErrors; row?: ImportReason | undefined };

/** A file that cannot be imported. */
export class FileRefusal extends Refusal {
  readonly reason: ImportReason;

  constructor(reason: ImportReason) {
    super(importReasonIn("en", reason));
    this.reason = reason;
  }
}
