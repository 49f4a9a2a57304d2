import type { Examination } from "./check.ts";
import { readVersions } from "./doctor-queries.ts";

/** A new collation version sorts texts differently, so the indexes would be wrong. */
export const checkVersions: Examination = async ({ database }) => {
  const { collation, collationAtHand } = await readVersions(database);
  if (collation === null || collationAtHand === null || collation === collationAtHand) return [];
  return [
    `The database's indexes were made with version ${collation} of its collation, and this system has ${collationAtHand}: as its owner run reindex database, then alter database ... refresh collation version.`,
  ];
};
