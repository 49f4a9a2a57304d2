import type { Language } from "../web/language.ts";

/** A paper that a firm gives away, such as an invoice, in one language: what a page prints and a file has. */
export type Paper = {
  language: Language;
  /** The kind and the number of the paper. */
  title: string;
  number: string;
  /** The word that makes it no valid paper: `Draft`. */
  mark: string | null;
  /** Days, and the numbers of other papers. */
  facts: readonly PaperFact[];
  /** The seller first, then the buyer. */
  parties: readonly PaperParty[];
  /** The picture of the first one in base64, PNG or JPEG. */
  logo: string | null;
  /** Lines below the parties: a label, a name, and the rest. */
  place: { label: string; name: string; rest: string } | null;
  table: PaperTable | null;
  /** The sums below the table. The last one is what counts. */
  sums: readonly PaperFact[];
  /** Sentences at the end. */
  notes: readonly string[];
};

export type PaperFact = { label: string; value: string };

export type PaperParty = { role: string; name: string; facts: readonly PaperFact[] };

/** `wide`: gets the room that the others leave. `code`: a short text. */
export type PaperColumn = { kind: "wide" | "code" | "number"; label: string };

/** The cells of each row are in the order of the columns. */
export type PaperTable = { columns: readonly PaperColumn[]; rows: readonly (readonly string[])[] };
