import { DATABASE_IDENTITY } from "../platform/postgres/database-identity.ts";
import type { StoredTable, WantedRows } from "../platform/postgres/stored-tables.ts";

/** The tables that no backup has, and why. Every other that the catalogue names is in it. */
export const leftOut: ReadonlyMap<string, string> = new Map([
  ["migrations", "the schema is made anew by the migrations, which say so themselves"],
  ["sessions", "whoever was signed out since would be signed in again"],
  ["operator_sessions", "whoever was signed out since would be signed in again"],
  ["sign_in_failures", "they are over after a day, and would shut out people who have signed in since"],
]);

/** The rows that a backup has of a table that is not in it whole, as a condition, and why. */
const keptRows: ReadonlyMap<string, { condition: string; why: string }> = new Map([
  [
    "invitations",
    {
      condition: "accepted_at is not null or revoked_at is not null",
      why: "an open one that was revoked since would be good again",
    },
  ],
  ["settings", { condition: `name <> '${DATABASE_IDENTITY}'`, why: "another database has another identity" }],
]);

/** Tables with the condition that rows of a backup have to meet. */
export function withConditions(tables: readonly StoredTable[]): WantedRows[] {
  return tables.map(({ name, columns }) => ({ name, columns, condition: keptRows.get(name)?.condition }));
}
