import { EXTERNAL, parseExternalId } from "../platform/fields/external-ids.ts";
import type { Query } from "../platform/http/lists/pagination.ts";
import type { Database } from "../platform/postgres/database.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";
import { findExternalHolders } from "./external-id-queries.ts";

/** The ids that a list is limited to. */
export type LookedUp = {
  ids: string[];
  /** The look-ups as they were requested: cursors belong to them. */
  asked: readonly unknown[];
};

/** The resources of a type that the query looks up (`external=source:id`); null if it looks up none. */
export async function lookUp(
  tenant: TenantId,
  database: Database,
  type: string,
  query: Query,
): Promise<LookedUp | null> {
  const asked = query.get(EXTERNAL);
  if (asked === undefined) return null;
  const id = parseExternalId(asked);
  const found = id === null ? [] : await findExternalHolders(tenant, database, type, [id]);
  return { ids: found.map((holder) => String(holder.id)), asked: [EXTERNAL, asked] };
}
