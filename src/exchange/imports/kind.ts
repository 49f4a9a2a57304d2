import type { Actor } from "../../kit/actor.ts";
import type { Bulk, BulkRows } from "../../kit/bulk-queries.ts";
import type { Deps, Store } from "../../kit/deps.ts";
import type { Keyring } from "../../platform/encryption/keyring.ts";
import type { CustomTable } from "../../platform/fields/custom.ts";
import type { FieldErrors } from "../../platform/fields/field-reasons.ts";
import type { Run } from "../../platform/postgres/database.ts";
import type { RowNote } from "./cells/read-cell.ts";
import type { CsvHeader } from "./reading/header.ts";
import type { Cells, ImportRow } from "./reading/rows.ts";
import type { ImportReason } from "./reasons.ts";

/** A kind of rows that is imported and exported (docs/csv.md). */
export type Kind = {
  bulk: BulkRows;
  /**
   * Writes a batch's rows within a transaction. Rows that name the same stored row are written in file order.
   * @param locked called once all existing rows are locked and all new rows have ids
   */
  write: (run: Run, target: ImportTarget, rows: ImportRow[], locked?: () => void) => Promise<BatchOutcome>;
  /** Counts rows that an earlier attempt has written among those that later rows repeat. */
  noteEarlier?: (run: Run, target: ImportTarget, rows: readonly ImportRow[]) => Promise<void>;
  /** Reads and updates columns of stored rows. */
  writes: Pick<Bulk, "stored" | "update">;
  /** The columns that together identify the stored row; empty if each row creates a new one. */
  namedBy: readonly string[];
  /** Whether each row names its company by `company_id` or `company_tax_id`. */
  ofCompany: boolean;
  /** Each row needs at least one of these fields. */
  oneOf: readonly string[];
  /** The export's column name for the id that its rows are sorted by. */
  idColumn: string;
};

/** The destination of rows, and the header that gives their cells a meaning. */
export type ImportTarget = {
  deps: Store & Pick<Deps, "sharing">;
  kind: Kind;
  actor: Actor;
  header: CsvHeader;
  transact: Transact;
  /** The custom fields that rows have as `custom`; null if they are among the fields of the kind, as in files. */
  custom: CustomTable | null;
  /** Whether the outcome includes the rows as they were before. */
  returnsStored: boolean;
  /** Encrypts values of new rows, if these are rolled back. */
  sparing?: Keyring;
};

/** `bulk` belongs to the kind that is written. */
export type Target = ImportTarget & { bulk: Bulk };

/**
 * Writes rows in one transaction, which is committed (`committing`) or rolled back (rehearse.ts).
 * @param rejected the batch's rejections so far, including those of rows that were never in a transaction
 */
export type Transact = (
  target: ImportTarget,
  rows: ImportRow[],
  rejected: readonly Rejection[],
  order?: CommitOrder,
) => Promise<BatchOutcome>;

/** Orders a transaction after the one before it. */
export type CommitOrder = {
  /** Called once the transaction has locked all existing rows and drawn ids for all new ones. */
  locked: () => void;
  /** Resolves when the transaction may commit; called after its last write. */
  toCommit: () => Promise<void>;
};

/**
 * A rejected row: the physical line where it starts, the errors of its fields or of the row, and the `id` of the stored
 * row that it names, if there is one.
 */
export type Rejection = {
  line: number;
  errors: FieldErrors;
  row?: ImportReason | undefined;
  cells?: Cells;
  cause?: Cause | undefined;
  id?: string | undefined;
};

/**
 * A cause with an API error of its own: an unknown id, an unknown company, or an identity or external id that another
 * row has.
 */
export type Cause =
  | { what: "missing" | "company-missing" | "invoice-missing"; named: string }
  | { what: "taken" | "external-taken" };

/** A row that was accepted. `id` is null if the row has no stored row of its own. */
export type RowOutcome = { line: number; id: string | null; outcome: "created" | "updated" | "unchanged" };

/** The outcome of a batch that was written. */
export type BatchOutcome = {
  rows: RowOutcome[];
  rejected: Rejection[];
  /** The stored rows that were created or changed. */
  written: WrittenRow[];
  /** Remarks on accepted rows, by line. */
  notes?: ReadonlyMap<number, readonly RowNote[]>;
  /** The names of the contacts that were created from contact persons, by company. */
  persons?: ReadonlyMap<string, readonly string[]>;
};

/** `version` differs after any change. `isPerson`: a contact that an import of companies created. */
export type WrittenRow = { id: string; version: string; stored: StoredBefore | null; isPerson?: boolean };

/** An updated row as it was, its columns as PostgreSQL's text; only if the target has `returnsStored`. */
export type StoredBefore = { version: string; columns: Readonly<Record<string, string | null>> };
