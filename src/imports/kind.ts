import type { Actor } from "../actor.ts";
import type { Store } from "../deps.ts";
import type { Bulk, BulkRows } from "../platform/fields/bulk.ts";
import type { FieldErrors } from "../platform/fields/field-reasons.ts";
import type { Run } from "../platform/postgres/database.ts";
import type { CsvHeader } from "./reading/header.ts";
import type { ImportReason } from "./reading/reasons.ts";
import type { Cells, ImportRow } from "./reading/rows.ts";

/** Something that is imported and exported (docs/operations.md 4). */
export type Kind = {
  bulk: BulkRows;
  /**
   * Writes a batch's rows within a transaction, those that mean the same one in their order.
   * @param locked called when those that are there are locked, and those that are not have their ids
   */
  write: (run: Run, target: ImportTarget, rows: ImportRow[], locked?: () => void) => Promise<BatchOutcome>;
  /** Reads and writes columns of the rows that are in the database. */
  writes: Pick<Bulk, "stored" | "update">;
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
export type ImportTarget = {
  deps: Store;
  kind: Kind;
  actor: Actor;
  header: CsvHeader;
  transact: Transact;
  /** Whether the outcome tells what the rows were before. */
  keepsStored: boolean;
};

/**
 * Writes rows in a transaction of its own, which is committed (`committing`) or taken back (rehearse.ts).
 * @param rejected the batch's rejections so far, those of rows without a transaction among them
 */
export type Transact = (
  target: ImportTarget,
  rows: ImportRow[],
  rejected: readonly Rejection[],
  turns?: CommitTurns,
) => Promise<BatchOutcome>;

/** A transaction's place behind the one before it. */
export type CommitTurns = {
  /** Told when it has every lock of a row that is there already, and the ids of those that are not. */
  locked: () => void;
  /** Asked for when all is written, and waited for before it is committed. */
  toCommit: () => Promise<void>;
};

/** A row that was refused: the physical line where it starts, and what is wrong with its fields, or with the row; `id` of the row that is meant, if one is there. */
export type Rejection = {
  line: number;
  errors: FieldErrors;
  row?: ImportReason | undefined;
  cells?: Cells;
  cause?: Cause | undefined;
  id?: string | undefined;
};

/** A cause that the API has an error of its own for: there is no row of this id, no company that is named so, or another row has the identity. */
export type Cause = { what: "missing" | "company-missing"; named: string } | { what: "taken" };

/** A row that was not refused. Of what has no row of its own in the database, `id` is null. */
export type RowOutcome = { line: number; id: string | null; outcome: "created" | "updated" | "unchanged" };

/** The outcome of a batch that was written. */
export type BatchOutcome = {
  rows: RowOutcome[];
  rejected: Rejection[];
  /** The rows of the database that were created or changed. */
  written: WrittenRow[];
};

/** `version` differs after whatever change. */
export type WrittenRow = { id: string; version: string; stored: StoredBefore | null };

/** An updated row as it was, its columns as PostgreSQL's text; only where the target keeps it. */
export type StoredBefore = { version: string; columns: Readonly<Record<string, string | null>> };
