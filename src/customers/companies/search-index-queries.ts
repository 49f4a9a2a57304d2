import type { Values } from "../../platform/fields/validation.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { Statement } from "../../platform/postgres/statement.ts";
import { backgroundCaller } from "../../platform/sharing/caller.ts";
import { searchedFields } from "./company.ts";

/** Characters, of 300 ordinary companies: a search reads such a list in 0.4 ms. */
const MERGE_AFTER = 12_000;
/** The same for 1,000 companies of an import: a merge costs a quarter less for each, and a search takes 1 ms more. */
export const MERGE_IMPORTED_AFTER = 40_000;
/** The searched characters of a company, if they are not known. */
const USUAL = 40;

const mergeStatement: Statement = { name: "merge_search_index", text: "select merge_company_search()" };

/**
 * Counts written companies. Their entries for the trigram index wait in a list. They are merged from here, beside the
 * writes; otherwise a write would pay for it (migrations/functions/merge_company_search.sql).
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
 * Never fails: the next merge, or PostgreSQL itself, merges the rest. All tenants share the index, so merging uses no
 * tenant's place among the searches.
 */
export async function mergeSearchIndex(database: Database): Promise<void> {
  const own = database.forCaller(backgroundCaller("search index"));
  await own.acrossTenants({ statement: mergeStatement, parameters: [] }).catch(() => {});
}

function charactersOf(values: Values): number {
  return searchedFields.reduce((sum, field) => sum + String(values[field] ?? "").length, 0);
}
