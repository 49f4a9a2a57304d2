import { quickQuery, writeQuery } from "../../platform/postgres/query.ts";
import type { ChangedTexts } from "./reminder-texts.ts";

/** The texts of reminders that the workspace has changed. */
export const changedTexts = quickQuery(
  "reminder_texts",
  "select reminder_texts from workspace_details where tenant_id = $1 and reminder_texts is not null",
).of(([row]) => JSON.parse(row?.[0] ?? "{}") as ChangedTexts);

/** $2: the texts as JSON, $3: the author. The same texts are no change. */
export const saveTexts = writeQuery<[texts: string, by: string]>(
  "save_reminder_texts",
  `insert into workspace_details (tenant_id, reminder_texts, reminder_texts_at, changed_by) values ($1, $2, now(), $3)
  on conflict (tenant_id) do update set reminder_texts = excluded.reminder_texts,
    reminder_texts_at = excluded.reminder_texts_at, changed_by = excluded.changed_by,
    updated_at = moment_after(workspace_details.updated_at)
  where workspace_details.reminder_texts is distinct from excluded.reminder_texts`,
).nothing();
