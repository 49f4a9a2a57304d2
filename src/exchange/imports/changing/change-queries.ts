import { enqueue } from "../../../kit/jobs/job-queries.ts";
import type { Database, Run } from "../../../platform/postgres/database.ts";
import type { Statement } from "../../../platform/postgres/statement.ts";
import type { TenantId } from "../../../platform/postgres/tenant-id.ts";
import { FORGET_JOB, IMPORT_JOB, importLane, RETENTION_DAYS } from "../import.ts";
import { AS_DOCUMENTED } from "../reading/reading.ts";
import { readingParameters } from "../reading/stored-reading.ts";
import type { Progress } from "../writing/write-batch.ts";

/** The part of a reading in one column, of a file whose rows are named by id. */
const NAMED_BY_ID = readingParameters({ ...AS_DOCUMENTED, namedById: true }).at(-1) ?? null;

const insertStatement: Statement = {
  name: "insert_change",
  text: `insert into imports (tenant_id, kind, file_name, reading, state, total, created_by, started_by, started_at, finished_at)
  values ($1, $2, $3, $4, 'done', $5, $6, $6, now(), now()) returning id`,
};

/** Inserts a change whose rows are written in the same transaction. It can be undone until its job forgets it. */
export async function insertChange(
  tenant: TenantId,
  run: Run,
  { kind, title, total, userId }: { kind: string; title: string; total: number; userId: string },
): Promise<string> {
  const [row] = await run(insertStatement, [kind, title, NAMED_BY_ID, total, userId]);
  const id = String(row?.[0]);
  const forget = enqueue(FORGET_JOB, [id], importLane(tenant), RETENTION_DAYS * 86_400_000);
  await run(forget.statement, forget.parameters);
  return id;
}

const countedStatement: Statement = {
  name: "note_changed",
  text: "update imports set created = $3, updated = $4, unchanged = $5, rejected = $6 where tenant_id = $1 and id = $2",
};

/** Records the outcome of all rows of a change. */
export async function noteChanged(
  tenant: TenantId,
  run: Run,
  id: string,
  { created, updated, unchanged, rejected }: Pick<Progress, "created" | "updated" | "unchanged"> & { rejected: number },
): Promise<void> {
  await run(countedStatement, [id, created, updated, unchanged, rejected]);
}

const startStatement: Statement = {
  name: "start_change",
  text: `update imports set kind = $3, bytes = $4, reading = $5, total = $6, state = 'running', started_by = created_by,
    started_at = now()
  where tenant_id = $1 and id = $2 and state = 'uploading' returning id`,
};

/** Makes a stored file of ids and values a change, and starts it. */
export async function startChange(
  tenant: TenantId,
  database: Database,
  id: string,
  { kind, bytes, total }: { kind: string; bytes: number; total: number },
): Promise<void> {
  await database.write(tenant, [
    { statement: startStatement, parameters: [id, kind, bytes, NAMED_BY_ID, total] },
    enqueue(IMPORT_JOB, [id], importLane(tenant)),
  ]);
}
