import { noteNames } from "../../people/operators/installation-notes.ts";
import { DATABASE_IDENTITY } from "../../platform/postgres/database-identity.ts";
import type { StoredTable, WantedRows } from "../../platform/postgres/stored-tables.ts";

/** The tables that no backup contains, and why. Every other table of the catalogue is included. */
export const leftOut: ReadonlyMap<string, string> = new Map([
  ["migrations", "the migrations create the schema again, and fill this table"],
  ["sessions", "users who have signed out since would be signed in again"],
  ["single_sign_on_logouts", "the sessions that they could end are left out too"],
  ["passkey_challenges", "they expire after five minutes"],
  ["sign_in_failures", "they expire after a day, and would lock out people who have signed in since"],
]);

/** The conditions for tables that a backup contains only in part, and why. */
const partialTables: ReadonlyMap<string, { condition: string; why: string }> = new Map([
  [
    "invitations",
    {
      condition: "accepted_at is not null or revoked_at is not null",
      why: "an open one that was revoked since would be valid again",
    },
  ],
  [
    "settings",
    {
      condition: `name not in ('${[DATABASE_IDENTITY, ...Object.values(noteNames)].join("', '")}')`,
      why: "another database has another identity, and its own last backup and doctor",
    },
  ],
]);

/** Adds to each table the condition for its rows. */
export function withConditions(tables: readonly StoredTable[]): WantedRows[] {
  return tables.map(({ name, columns }) => ({ name, columns, condition: partialTables.get(name)?.condition }));
}
