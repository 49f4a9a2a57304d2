import { callsOf } from "../../platform/postgres/query.ts";
import type { Call } from "../../platform/postgres/statement.ts";

const noting = callsOf<[changed: string, by: string]>(
  "note_export",
  `insert into changes (tenant_id, at, type, resource_id, action, changed, changed_by)
  values ($1, clock_timestamp(), 'workspace', $1, 'updated', $2, $3)`,
);

/** The call that writes an export into the history of the workspace. @param by as in changes.changed_by */
export function exportNote(file: string, rows: number, by: string): Call {
  const changed = JSON.stringify({ exported: { from: null, to: file }, rows: { from: null, to: rows } });
  return noting(changed, by);
}
