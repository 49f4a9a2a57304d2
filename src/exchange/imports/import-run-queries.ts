import type { Job, Outcome } from "../../kit/jobs/job.ts";
import type { Database, Run } from "../../platform/postgres/database.ts";
import { callsOf, callWith, namedStatement, stepQuery, type NamedValues } from "../../platform/postgres/query.ts";
import { column, selectList, type Selected } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import type { UnknownWord } from "./checking/unknown-words.ts";
import { ClaimLost, type ImportFailure, type ImportState } from "./import.ts";
import type { Reading } from "./reading/reading.ts";
import { readingColumns, readingOf, restOfReading } from "./reading/stored-reading.ts";
import type { Progress } from "./writing/write-batch.ts";

const claimed = selectList({
  state: column.text<ImportState>("i.state"),
  kind: column.text("i.kind"),
  bytes: column.number("i.bytes"),
  ...readingColumns,
  nextLine: column.number("i.next_line"),
  startedBy: "i.started_by",
  undoneBy: "i.undone_by",
  /** Earlier attempts that died without reaching a further row than the ones before them. */
  deaths: column.number("i.deaths"),
});

/** An import that one attempt of its job has claimed. Each attempt has its own `runner`. */
export type ClaimedImport = Omit<Selected<typeof claimed>, keyof typeof readingColumns> & {
  id: string;
  runner: string;
  reading: Reading;
  /** The tenant's country, for rows that name none. */
  country: string;
};

/** The number of rows with an outcome: it shows how far an attempt got. */
const REACHED = "i.created + i.updated + i.unchanged + i.rejected + i.deleted + i.restored + i.kept";

const claiming = callsOf<[id: string, runner: string, hasDied: boolean]>(
  "take_import",
  `update imports i set runner = $3, reached = ${REACHED},
    deaths = case when not $4::boolean then 0 when ${REACHED} > i.reached then 1 else i.deaths + 1 end
  where i.tenant_id = $1 and i.id = $2 and i.state in ('checking', 'running', 'undoing')
  returning ${claimed.sql}`,
);

const findingCountry = callsOf("country_of_tenant", "select t.country from tenants t where t.id = $1")();

/** Claims an import for this attempt, and ends any earlier claim. Null if there is nothing to do. */
export async function claimImport(tenant: TenantId, database: Database, job: Job): Promise<ClaimedImport | null> {
  const id = job.subject;
  const runner = `${job.id}/${job.attempt}`;
  const [[row] = [], [country] = []] = await database.write(tenant, [
    claiming(id, runner, job.hasDied),
    findingCountry,
  ]);
  if (row === undefined) return null;
  const { encoding, delimiter, clearsEmpty, columns, language, rest, ...read } = claimed.read(row);
  const reading = readingOf({ encoding, delimiter, clearsEmpty, columns, language, rest });
  return { ...read, id, runner, reading, country: String(country?.[0]) };
}

/** True while this attempt owns the import and the import is active. */
const isOurs =
  "i.tenant_id = $1 and i.id = :id and i.runner = :runner and i.state in ('checking', 'running', 'undoing')";

type Ours = Pick<ClaimedImport, "id" | "runner">;

/**
 * A change of the import that an attempt has claimed, within a transaction. Throws ClaimLost if another attempt has
 * claimed it. The statement locks the row, so a new claim waits for this transaction.
 */
export function changeOfOurs<Values extends NamedValues>(name: string, assignments: string) {
  const change = stepQuery<Ours & Values>(name, `update imports i set ${assignments} where ${isOurs} returning i.id`);
  return change.of((rows) => {
    if (rows.length === 0) throw new ClaimLost();
  });
}

const resetCounts = changeOfOurs<{ total: number; words: string; reading: string }>(
  "import_counted",
  "total = :total, unknown_words = :words, reading = :reading, created = 0, updated = 0, unchanged = 0, rejected = 0",
);

const forgetCheck = stepQuery<[id: string]>(
  "forget_import_check",
  "delete from import_rejections where tenant_id = $1 and import_id = $2 and not is_final",
).nothing();

const forgetChanges = stepQuery<[id: string]>(
  "forget_import_changes",
  "delete from import_changes where tenant_id = $1 and import_id = $2",
).nothing();

/** Resets the counts, because an earlier check may have ended half-way. Throws ClaimLost. */
export async function beginCheck(
  tenant: TenantId,
  database: Database,
  { id, runner }: ClaimedImport,
  { total, words, reading }: { total: number; words: readonly UnknownWord[]; reading: Reading },
): Promise<void> {
  await database.transaction(tenant, async (run) => {
    await forgetCheck(run, id);
    await forgetChanges(run, id);
    await resetCounts(run, { id, runner, total, words: JSON.stringify(words), reading: restOfReading(reading) });
  });
}

const storeRest = changeOfOurs<{ reading: string }>("store_import_reading", "reading = :reading");

/** Stores a reading that an attempt has added to. Throws ClaimLost. */
export async function storeReading(run: Run, { id, runner, reading }: ClaimedImport): Promise<void> {
  await storeRest(run, { id, runner, reading: restOfReading(reading) });
}

/** The number of rows that were not stored before. */
const insertRejections = stepQuery<[id: string, isFinal: boolean, entries: string]>(
  "insert_import_rejections",
  `insert into import_rejections (tenant_id, import_id, is_final, line, errors, cells)
  select $1::bigint, $2, $3, r.line, r.errors, r.cells
  from json_to_recordset($4) as r (line integer, errors text, cells text)
  on conflict (tenant_id, import_id, is_final, line) do nothing returning id`,
).count();

const addCounts = changeOfOurs<Record<"created" | "updated" | "unchanged" | "rejected" | "nextLine", number>>(
  "import_progress",
  `created = i.created + :created, updated = i.updated + :updated, unchanged = i.unchanged + :unchanged,
    rejected = i.rejected + :rejected, next_line = greatest(i.next_line, :nextLine)`,
);

/** Adds the outcome of rows, within a transaction. Throws ClaimLost. */
export async function addProgress(run: Run, { id, runner, state }: ClaimedImport, progress: Progress): Promise<void> {
  const { created, updated, unchanged } = progress;
  const entries = progress.rejected.map(({ line, errors, row, cells = {} }) => ({
    line,
    errors: JSON.stringify({ errors, row }),
    cells: JSON.stringify(cells),
  }));
  const rejected =
    entries.length === 0 ? 0 : await insertRejections(run, id, state === "running", JSON.stringify(entries));
  await addCounts(run, { id, runner, created, updated, unchanged, rejected, nextLine: progress.nextLine ?? 1 });
}

const endStatement = namedStatement(
  "end_import",
  `update imports i set state = :state, failure = :failure, finished_at = now() where ${isOurs} returning i.id`,
);

/** Ends a check or an undo. It leaves the import's own end time unchanged. */
const endStepStatement = namedStatement(
  "end_import_step",
  `update imports i set state = :state, failure = :failure where ${isOurs} returning i.id`,
);

/** Ends the current step and its job. An import that was cancelled meanwhile stays cancelled. */
export async function endImport(
  tenant: TenantId,
  database: Database,
  { id, runner }: ClaimedImport,
  job: Job,
  { state, failure }: { state: ImportState; failure: ImportFailure | null },
): Promise<void> {
  const done: Outcome = { outcome: "done" };
  const statement = state === "checked" || state === "undone" ? endStepStatement : endStatement;
  await database.write(tenant, [callWith(statement, { id, runner, state, failure }), job.finish(done)]);
}

const insertUndos = stepQuery<[importId: string, rows: string]>(
  "add_undos",
  `insert into import_rows (tenant_id, import_id, resource_id, is_person, is_created, version_before, version, before)
  select $1::bigint, $2, r.id, r.is_person, r.is_created, r.version_before, r.version, r.before
  from json_to_recordset($3) as r
    (id bigint, is_person boolean, is_created boolean, version_before timestamptz, version timestamptz, before text)
  on conflict (tenant_id, import_id, resource_id, is_person) do update set version = excluded.version,
    is_interrupted = import_rows.is_interrupted or import_rows.version is distinct from excluded.version_before`,
).nothing();

/** A row that was written. `before` is encrypted; it is null for a created row. */
export type UndoRow = {
  id: string;
  is_person: boolean;
  is_created: boolean;
  version_before: string | null;
  version: string;
  before: string | null;
};

/**
 * Records the rows of a transaction for undo, within that transaction. If a file changes a row several times, the
 * values before the first change are stored.
 */
export async function addUndos(run: Run, importId: string, rows: readonly UndoRow[]): Promise<void> {
  if (rows.length > 0) await insertUndos(run, importId, JSON.stringify(rows));
}
