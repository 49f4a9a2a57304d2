import type { Call, Statement } from "../../platform/postgres/statement.ts";

const noteStatement: Statement = {
  name: "note_export",
  text: `insert into changes (tenant_id, at, type, resource_id, action, changed, changed_by)
  values ($1, clock_timestamp(), 'workspace', $1, 'updated', $2, $3)`,
};

/** The call that writes an export into the history of the workspace. @param by as in changes.changed_by */
export function exportNote(file: string, rows: number, by: string): Call {
  const changed = JSON.stringify({ exported: { from: null, to: file }, rows: { from: null, to: rows } });
  return { statement: noteStatement, parameters: [changed, by] };
}
