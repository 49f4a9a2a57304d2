import type { Actor } from "../actor.ts";
import type { Deps } from "../deps.ts";
import type { BulkRows } from "../platform/fields/bulk.ts";
import type { FieldErrors } from "../platform/fields/validation.ts";
import type { Header } from "./header.ts";
import type { ImportRow } from "./rows.ts";

/** Something that is imported and exported (docs/operations.md 4). */
export type Kind = {
  bulk: BulkRows;
  /** Writes a batch's rows, which mean different ones, in one transaction. */
  write: (target: ImportTarget, rows: ImportRow[]) => Promise<BatchOutcome>;
  /** The columns that together say which row is meant; none where each row is a new one. */
  namedBy: readonly string[];
  /** Whether each row names its company, by `company_id` or `company_tax_id`. */
  ofCompany: boolean;
  /** Fields of which a row has at least one. */
  oneOf: readonly string[];
  /** The export's name for the id that its rows come in the order of. */
  idColumn: string;
};

/** The destination of rows, and the header that tells what they say. */
export type ImportTarget = { deps: Pick<Deps, "database" | "keyring">; kind: Kind; actor: Actor; header: Header };

/** A row that was refused: the physical line where it starts, and the messages that POST or PUT would answer (422). */
export type Rejection = { line: number; errors: FieldErrors };

/** The outcome of a batch that was written. */
export type BatchOutcome = { created: number; updated: number; rejected: Rejection[] };
