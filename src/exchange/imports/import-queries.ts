import { enqueue } from "../../kit/jobs/job-queries.ts";
import { NO_CUSTOM_FIELDS, type CustomTable } from "../../platform/fields/custom.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { callsOf, quickQuery, runAll, stepQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Call, type Row, type Selected } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { numberedList } from "../../platform/reads/numbered.ts";
import { replaceRows } from "./import-file-queries.ts";
import {
  FORGET_JOB,
  IMPORT_JOB,
  importLane,
  repeatable,
  RETENTION_DAYS,
  UPLOAD_MS,
  type ImportFailure,
  type ImportState,
} from "./import.ts";
import type { Reading } from "./reading/reading.ts";
import { readingColumns, readingOf, storedReading } from "./reading/stored-reading.ts";

/** The version of an import that a person sees before its start: that of its reading, and of its check. */
const VERSION = `md5(i.kind || ${["encoding", "delimiter", "clears_empty", "columns", "language", "reading", "runner"]
  .map((column) => `coalesce(i.${column}::text, '') || '/'`)
  .join(" || ")})`;

const nameOf = (column: string) => `(select u.name from users u where u.tenant_id = $1 and u.id = i.${column})`;

const columns = selectList({
  id: column.text("i.id"),
  version: column.text(VERSION),
  kind: column.text("i.kind"),
  fileName: column.text("i.file_name"),
  bytes: column.number("i.bytes"),
  ...readingColumns,
  state: column.text<ImportState>("i.state"),
  failure: column.textOrNull<ImportFailure>("i.failure"),
  /** Rows in the file; null until they are counted. */
  total: column.numberOrNull("i.total"),
  created: column.number("i.created"),
  updated: column.number("i.updated"),
  unchanged: column.number("i.unchanged"),
  rejected: column.number("i.rejected"),
  nextLine: column.number("i.next_line"),
  deleted: column.number("i.deleted"),
  restored: column.number("i.restored"),
  kept: column.number("i.kept"),
  /** Words that the check found in enumerated fields, as JSON (unknown-words.ts). */
  unknownWords: "i.unknown_words",
  createdAt: column.text("i.created_at"),
  startedAt: "i.started_at",
  finishedAt: "i.finished_at",
  undoneAt: "i.undone_at",
  forgottenAt: "i.forgotten_at",
  /** The names of the users that uploaded, started, cancelled and undid it. */
  createdBy: column.text(nameOf("created_by")),
  createdById: column.textOrNull("i.created_by"),
  startedBy: nameOf("started_by"),
  cancelledBy: nameOf("cancelled_by"),
  undoneBy: nameOf("undone_by"),
});

/** An import as its pages and its job read it. */
export type Import = Omit<Selected<typeof columns>, keyof typeof readingColumns> & {
  reading: Reading;
  /** The custom fields of its rows, where a page shows them. */
  custom: CustomTable;
};

function importOf(row: Row): Import {
  const { encoding, delimiter, clearsEmpty, columns: mapped, language, rest, ...read } = columns.read(row);
  const reading = readingOf({ encoding, delimiter, clearsEmpty, columns: mapped, language, rest });
  return { ...read, reading, custom: NO_CUSTOM_FIELDS };
}

/** Null for an unknown import, and for one whose upload is not complete. */
export const findImport = quickQuery<[id: string]>(
  "find_import",
  `select ${columns.sql} from imports i where i.tenant_id = $1 and i.id = $2 and i.state <> 'uploading'`,
).first(importOf);

/** A page of the imports, newest first. */
export const listImports = numberedList(
  "imports",
  {
    reader: "quick",
    table: "imports i",
    condition: "i.tenant_id = $1 and i.state <> 'uploading'",
    order: "i.id desc",
  },
  { sql: columns.sql, read: importOf },
);

const insert = stepQuery<[fileName: string, userId: string]>(
  "insert_import",
  "insert into imports (tenant_id, kind, file_name, created_by) values ($1, '', $2, $3) returning id",
).value();

/**
 * Inserts an import whose file is still being uploaded. Its job removes what is left of a killed upload, and otherwise
 * runs again at the end of the retention.
 */
export async function insertImport(
  tenant: TenantId,
  database: Database,
  fileName: string,
  userId: string,
): Promise<string> {
  return await database.transaction(tenant, async (run) => {
    const id = String(await insert(run, fileName, userId));
    await run(enqueue(FORGET_JOB, [id], importLane(tenant), UPLOAD_MS));
    return id;
  });
}

/** Milliseconds until an import's file is to be removed; 0 if it is due, or if its upload was killed. */
export const keptFor = quickQuery<[id: string]>(
  "import_kept_for",
  `select case when i.state = 'uploading' then 0 else
    greatest(0, ceil(extract(epoch from i.created_at + interval '${RETENTION_DAYS} days' - now()) * 1000)) end
  from imports i where i.tenant_id = $1 and i.id = $2`,
).first(([ms]) => Number(ms));

/** The imports of a tenant that are looked at for the same upload. */
const MOST_RECENT = 20;

/** The waiting import of a person that is made of the same file. */
export const findSameUpload = quickQuery<[digest: string, userId: string]>(
  "find_same_upload",
  `select r.id from (
    select i.id, i.state, i.created_by, i.reading from imports i where i.tenant_id = $1 order by i.id desc limit ${MOST_RECENT}
  ) r
  where r.state in ('mapping', 'checking', 'checked') and r.created_by = $3 and r.reading::json->>'digest' = $2
  order by r.id desc limit 1`,
).of(([row]) => row?.[0] ?? null);

type Stored = ReturnType<typeof storedReading> & { id: string; kind: string; state: ImportState };

const storeUpload = callsOf<Stored & { bytes: number }>(
  "import_uploaded",
  `update imports set kind = :kind, bytes = :bytes, encoding = :encoding, delimiter = :delimiter, clears_empty = :clearsEmpty,
    columns = :columns, language = :language, reading = :rest, state = :state
  where tenant_id = $1 and id = :id returning id`,
);

/** Marks the upload as complete. The file is checked next, unless its columns must be mapped by hand first. */
export async function importUploaded(
  tenant: TenantId,
  database: Database,
  id: string,
  { kind, bytes, reading, state }: Pick<Import, "kind" | "bytes" | "reading" | "state">,
): Promise<void> {
  await database.write(tenant, [
    storeUpload({ ...storedReading(reading), id, kind, bytes, state }),
    ...checking(tenant, id, state),
  ]);
}

const storeReading = callsOf<Stored & { version: string }>(
  "reread_import",
  `update imports i set encoding = :encoding, delimiter = :delimiter, clears_empty = :clearsEmpty, columns = :columns,
    language = :language, reading = :rest, state = :state, kind = :kind
  where i.tenant_id = $1 and i.id = :id and i.state in ('checked', 'mapping') and i.forgotten_at is null
    and ${VERSION} = :version returning i.id`,
);

/** Another request has unpacked a sheet of the same import meanwhile. */
class UnpackedAgain extends Error {}

/** An import as a request has read it. */
type Seen = Pick<Import, "id" | "version">;

/**
 * Starts a check with another reading or kind, or waits for a person to look at its columns. Returns false, and changes
 * nothing, once the import has started or somebody else has changed its reading.
 * @param unpacked the pieces of an unpacked sheet, which become the import's rows
 * @param changes what changes with the reading: corrected cells, chosen companies
 */
export async function rereadImport(
  tenant: TenantId,
  database: Database,
  { id, version }: Seen,
  { kind, reading, state }: { kind: string; reading: Reading; state: "checking" | "mapping" },
  { unpacked = null, changes = [] }: { unpacked?: readonly string[] | null; changes?: readonly Call[] } = {},
): Promise<boolean> {
  try {
    return await database.transaction(tenant, async (run) => {
      const stored = await run(storeReading({ ...storedReading(reading), id, kind, state, version }));
      if (stored.length === 0) return false;
      if (unpacked !== null && !(await replaceRows(run, id, unpacked))) throw new UnpackedAgain();
      await runAll(run, [...changes, ...checking(tenant, id, state)]);
      return true;
    });
  } catch (error) {
    if (error instanceof UnpackedAgain) return false;
    throw error;
  }
}

/** The call that enqueues a check, if one is next. */
function checking(tenant: TenantId, id: string, state: ImportState): Call[] {
  return state === "checking" ? [enqueue(IMPORT_JOB, [id], importLane(tenant))] : [];
}

/** Changes an import's state on a user's request; returns false if its current state does not allow it. */
export type ImportStep = (tenant: TenantId, database: Database, id: string, userId: string) => Promise<boolean>;

function stepWithJob(name: string, text: string): ImportStep {
  const step = callsOf<[id: string, userId: string]>(name, text);
  return async (tenant, database, id, userId) => await writeWithJob(tenant, database, id, step(id, userId));
}

/** Changes the state and enqueues the import's job. Returns false if the call changed nothing. */
async function writeWithJob(tenant: TenantId, database: Database, id: string, step: Call): Promise<boolean> {
  const [rows] = await database.write(tenant, [step, enqueue(IMPORT_JOB, [id], importLane(tenant))]);
  return rows?.length === 1;
}

const starting = callsOf<Seen & { userId: string }>(
  "start_import",
  `update imports i set state = 'running', started_by = :userId, started_at = now(), created = 0, updated = 0,
    unchanged = 0, rejected = 0
  where i.tenant_id = $1 and i.id = :id and i.state = 'checked' and i.forgotten_at is null and ${VERSION} = :version
  returning i.id`,
);

/** Starts an import as it was checked. Returns false if its reading is another one by now, or it has started. */
export async function startImport(
  tenant: TenantId,
  database: Database,
  { id, version }: Seen,
  userId: string,
): Promise<boolean> {
  return await writeWithJob(tenant, database, id, starting({ id, version, userId }));
}

const cancelling = callsOf<[id: string, userId: string]>(
  "cancel_import",
  `update imports set state = 'cancelled', cancelled_by = $3, finished_at = now(), stored_bytes = 0
  where tenant_id = $1 and id = $2 and state in ('mapping', 'checking', 'checked', 'running') returning id`,
);

const removingOfCancelled = (name: string, table: string) =>
  callsOf<[id: string]>(
    name,
    `delete from ${table} where tenant_id = $1 and import_id = $2
    and exists (select from imports i where i.tenant_id = $1 and i.id = $2 and i.state = 'cancelled')`,
  );
const removingFile = removingOfCancelled("remove_cancelled_file", "import_chunks");
const removingChanges = removingOfCancelled("remove_cancelled_changes", "import_changes");

/**
 * Cancels an import and removes its file and its preview. A batch in progress is rolled back. Returns false if there is
 * nothing to cancel.
 */
export async function cancelImport(tenant: TenantId, database: Database, id: string, userId: string): Promise<boolean> {
  const [rows] = await database.write(tenant, [cancelling(id, userId), removingFile(id), removingChanges(id)]);
  return rows?.length === 1;
}

/** Retries a failed import; a failed undo is not retried by this. */
export const retryImport = stepWithJob(
  "retry_import",
  `update imports set state = case when started_at is null then 'checking' else 'running' end, failure = null,
    finished_at = null, started_by = case when started_at is null then null else $3::bigint end
  where tenant_id = $1 and id = $2 and state = 'failed' and failure in ('${repeatable.join("', '")}') and undone_at is null
    and forgotten_at is null returning id`,
);

/** Starts to undo an import, which needs its recorded rows. */
export const startUndo = stepWithJob(
  "undo_import",
  `update imports set state = 'undoing', undone_by = $3, undone_at = now()
  where tenant_id = $1 and id = $2 and state in ('done', 'cancelled', 'failed') and started_at is not null
    and forgotten_at is null returning id`,
);
