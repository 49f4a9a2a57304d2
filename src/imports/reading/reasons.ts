import { fieldMessages, type FieldErrors } from "../../platform/fields/field-reasons.ts";
import { sentenceOf, type Sentences } from "../../platform/reason.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { InLanguages } from "../../web/language.ts";

/** Why a file cannot be imported, or why one of its rows is invalid as a whole. */
export type ImportReason =
  | { code: "empty" | "archive" | "notUtf8" | "tooLong" | "badQuotes" | "refused" | "sent" }
  | { code: "headerUnreadable"; why: ImportReason }
  | { code: "columnTwice"; column: string }
  | { code: "columnMissing"; columns: readonly string[] }
  | { code: "tooManyColumns" | "tooManyCells" | "tooManyLines"; most: number }
  | { code: "cellsMissing"; cells: number; columns: number }
  | { code: "tooManyAlike"; most: number; field: string; value: string }
  /** Stored by an earlier release, which stored sentences. */
  | { code: "told"; sentence: string };

const sentences: InLanguages<Sentences<ImportReason>> = {
  en: {
    empty: () => "The file is empty: its first row names the columns.",
    archive: () => "The file is no text, but a workbook or another archive.",
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
    refused: () => "The database refused the row.",
    sent: () => "Cannot change an invoice that was sent to the warehouse.",
    tooManyLines: ({ most }) => `The lines field must not have more than ${most} items.`,
    told: ({ sentence }) => sentence,
  },
  ro: {
    empty: () => "Fișierul este gol: primul rând denumește coloanele.",
    archive: () => "Fișierul nu este text, ci un registru de calcul sau o arhivă. Vă rugăm să îl salvați ca CSV.",
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
    refused: () => "Baza de date a refuzat rândul.",
    sent: () => "O factură trimisă la depozit nu se mai schimbă.",
    tooManyLines: ({ most }) => `O factură poate avea cel mult ${most} linii.`,
    told: ({ sentence }) => sentence,
  },
};

/** The English sentences are also those of the API and the commands. */
export function importReasonIn(language: "en" | "ro", reason: ImportReason): string {
  return sentenceOf(sentences[language], reason);
}

/** The errors of a row as the commands print them: by field, and under `row` those of the whole row. */
export function rowMessages({ errors, row }: WrongRow): Record<string, string[]> {
  return { ...(row !== undefined && { row: [importReasonIn("en", row)] }), ...fieldMessages(errors) };
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
