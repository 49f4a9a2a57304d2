import type { Values } from "../platform/fields/validation.ts";
import type { Database } from "../platform/postgres/database.ts";
import type { Call, Row } from "../platform/postgres/statement.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";
import { noteCounted } from "./company-count-queries.ts";
import { noteWritten } from "./search-index-queries.ts";

/** The columns that the counts of companies depend on. */
const COUNTED = ["status", "deleted_at"];

/**
 * Commits a write of one company. Every one goes this way, so that none forgets what is kept short beside the writes:
 * the list of changed counts and the index's list of entries, which a write that fails lengthens as well.
 * @param changed the columns that it changes
 */
export async function commitCompany(
  tenant: TenantId,
  database: Database,
  changed: Values,
  calls: Call[],
): Promise<Row[][]> {
  try {
    return await database.write(tenant, calls);
  } finally {
    noteWritten(database, changed);
    if (COUNTED.some((column) => column in changed)) noteCounted(tenant, database);
  }
}
