import type { Examination } from "./check.ts";
import { findLowKeys, findOpenTables } from "./doctor-queries.ts";

/** Both tenancy walls as the catalogue has them (ARCHITECTURE.md). */
export const checkWalls: Examination = async ({ database }) => [
  ...(await findOpenTables(database)).map(
    (table) =>
      `The table ${table} is open to other tenants' requests: stop the servers, put its wall back (docs/operations.md 14.2), and find out who took it away.`,
  ),
  ...(await findLowKeys(database)).map(
    (key) =>
      `${key} does not begin with tenant_id, so that tenants get in each other's way: drop it, and find out who made it.`,
  ),
];
