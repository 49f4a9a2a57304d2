import type { Values } from "../../platform/fields/validation.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { Call, Row } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { noteCounted } from "./company-count-queries.ts";
import { noteWritten } from "./search-index-queries.ts";

/** The columns that the counts of companies depend on. */
const COUNTED = ["status", "deleted_at"];

/**
 * Commits a write of one company. Every write calls this, because two lists must be shortened beside the writes: the
 * changed counts, and the new entries of the search index. A failed write lengthens them too.
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
