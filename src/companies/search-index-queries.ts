import type { Values } from "../platform/fields/validation.ts";
import type { Database } from "../platform/postgres/database.ts";
import type { Statement } from "../platform/postgres/statement.ts";
import { nobodyFor } from "../platform/sharing/caller.ts";
import { searchedFields } from "./company.ts";

/** Characters, of 150 ordinary companies: they make a list that a search reads through in 0.2 ms. */
const MERGE_AFTER = 6_000;
/** The same of a thousand companies of an import: merging costs each a quarter less than five hundred at a time, and a search a millisecond more. */
export const MERGE_IMPORTED_AFTER = 40_000;
/** A company has so many characters to be found by, where nothing else is known. */
const USUAL = 40;

const mergeStatement: Statement = { name: "merge_company_search", text: "select merge_company_search()" };

/**
 * Notes that companies were written, with these values. Their entries for the trigram index wait in a list until somebody merges them: beside
 * the writes, from here, or else at the cost of a write (migrations/functions/merge_company_search.sql).
 */
export function noteWritten(
  { tally, unattended }: Database,
  values: Values,
  companies = 1,
  mergeAfter = MERGE_AFTER,
): void {
  const characters = companies * Math.max(USUAL, charactersOf(values));
  tally("merge_company_search", characters, mergeAfter, () => mergeSearchIndex(unattended));
}

/**
 * Never fails: the rest is merged by the next, or by PostgreSQL itself. The index is everybody's, and merging takes no
 * tenant's place among the searches.
 */
export async function mergeSearchIndex(database: Database): Promise<void> {
  const own = database.forCaller(nobodyFor("search index"));
  await own.acrossTenants({ statement: mergeStatement, parameters: [] }).catch(() => {});
}

function charactersOf(values: Values): number {
  return searchedFields.reduce((sum, field) => sum + String(values[field] ?? "").length, 0);
}
