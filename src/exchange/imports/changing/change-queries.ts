import { enqueue } from "../../../kit/jobs/job-queries.ts";
import type { Database, Run } from "../../../platform/postgres/database.ts";
import { callsOf, stepQuery } from "../../../platform/postgres/query.ts";
import type { TenantId } from "../../../platform/postgres/tenant-id.ts";
import { FORGET_JOB, IMPORT_JOB, importLane, RETENTION_DAYS } from "../import.ts";
import { AS_DOCUMENTED } from "../reading/reading.ts";
import { restOfReading } from "../reading/stored-reading.ts";

/** The part of a reading in one column, of a file whose rows are named by id. */
const NAMED_BY_ID = restOfReading({ ...AS_DOCUMENTED, namedById: true });

const insert = stepQuery<{ kind: string; title: string; reading: string | null; total: number; userId: string }>(
  "insert_change",
  `insert into imports (tenant_id, kind, file_name, reading, state, total, created_by, started_by, started_at, finished_at)
  values ($1, :kind, :title, :reading, 'done', :total, :userId, :userId, now(), now()) returning id`,
).value();

/** Inserts a change whose rows are written in the same transaction. It can be undone until its job forgets it. */
export async function insertChange(
  tenant: TenantId,
  run: Run,
  { kind, title, total, userId }: { kind: string; title: string; total: number; userId: string },
): Promise<string> {
  const id = String(await insert(run, { kind, title, reading: NAMED_BY_ID, total, userId }));
  await run(enqueue(FORGET_JOB, [id], importLane(tenant), RETENTION_DAYS * 86_400_000));
  return id;
}

/** Records the outcome of all rows of a change. */
export const noteChanged = stepQuery<{
  id: string;
  created: number;
  updated: number;
  unchanged: number;
  rejected: number;
}>(
  "note_changed",
  "update imports set created = :created, updated = :updated, unchanged = :unchanged, rejected = :rejected where tenant_id = $1 and id = :id",
).nothing();

const start = callsOf<{ id: string; kind: string; bytes: number; reading: string | null; total: number }>(
  "start_change",
  `update imports set kind = :kind, bytes = :bytes, reading = :reading, total = :total, state = 'running', started_by = created_by,
    started_at = now()
  where tenant_id = $1 and id = :id and state = 'uploading' returning id`,
);

/** Makes a stored file of ids and values a change, and starts it. */
export async function startChange(
  tenant: TenantId,
  database: Database,
  id: string,
  { kind, bytes, total }: { kind: string; bytes: number; total: number },
): Promise<void> {
  await database.write(tenant, [
    start({ id, kind, bytes, reading: NAMED_BY_ID, total }),
    enqueue(IMPORT_JOB, [id], importLane(tenant)),
  ]);
}
