import type { Database } from "../postgres/database.ts";
import { readNamed, type NamedStatement, type NamedValues } from "../postgres/query.ts";
import type { TenantId } from "../postgres/tenant-id.ts";

/** Ids that are read in one query. */
const IDS_AT_ONCE = 2_000;

/** All ids that a statement selects, in parts: `:limit` of them behind `:after`, in ascending order. */
export async function* everyId(
  tenant: TenantId,
  database: Database,
  statement: NamedStatement,
  values: NamedValues,
): AsyncGenerator<string[]> {
  for (let after = "0"; ;) {
    const rows = await readNamed(tenant, database.slow, statement, { ...values, limit: IDS_AT_ONCE, after });
    const ids = rows.map(([id]) => String(id));
    if (ids.length > 0) yield ids;
    if (ids.length < IDS_AT_ONCE) return;
    after = ids.at(-1) ?? after;
  }
}
