import type { Examination } from "./check.ts";
import { findHistoryPolicies, findLowKeys, findOpenTables } from "./doctor-queries.ts";

/** Checks both tenancy walls in the catalogue (ARCHITECTURE.md). */
export const checkWalls: Examination = async ({ database }) => [
  ...(await findOpenTables(database)).map(
    (table) =>
      `The table ${table} is open to other tenants' requests: stop the servers, put its wall back (docs/operations.md 14.2), and find out who took it away.`,
  ),
  ...(await findHistoryPolicies(database)).map(
    (policy) =>
      `The policy ${policy} of the table changes lets requests change the history: stop the servers, put the table's wall back (docs/operations.md 14.2), and find out who made it.`,
  ),
  ...(await findLowKeys(database)).map(
    (key) =>
      `${key} does not begin with tenant_id, so that tenants get in each other's way: drop it, and find out who made it.`,
  ),
];
