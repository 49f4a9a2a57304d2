import type { Run } from "../../../platform/postgres/database.ts";
import { stepQuery } from "../../../platform/postgres/query.ts";

const updateVersions = stepQuery<[restored: string, kinds: readonly string[]]>(
  "note_same_again",
  `update import_rows r set version = e.version
  from json_to_recordset($2) as e (resource_id bigint, version_before timestamptz, version timestamptz)
  where r.tenant_id = $1 and r.resource_id = e.resource_id and e.resource_id = e.resource_id + 0
    and r.version = e.version_before and r.outcome is null and r.import_id = any(array(
      select i.id from imports i where i.tenant_id = $1 and i.kind = any($3::text[]) and i.forgotten_at is null
    ))
    and r.is_person = (
      select i.kind = 'companies' and 'contacts' = any($3) from imports i where i.tenant_id = $1 and i.id = r.import_id
    )
  returning r.id`,
).nothing();

/** A row that has its earlier values again: the version that it had then, and its version now. */
export type RestoredRow = { resource_id: string; version_before: string | null; version: string };

/**
 * Updates the versions in the undo records of earlier imports of these kinds. Otherwise a restored row would count as
 * changed, and the earlier import could not be undone for it.
 */
export async function noteSameAgain(
  run: Run,
  kinds: readonly string[],
  restored: readonly RestoredRow[],
): Promise<void> {
  const of = kinds.includes("contacts") ? [...kinds, "companies"] : kinds;
  if (restored.length > 0) await updateVersions(run, JSON.stringify(restored), of);
}
