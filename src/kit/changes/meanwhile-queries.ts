import type { Database } from "../../platform/postgres/database.ts";
import { slowQuery } from "../../platform/postgres/query.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { changeColumns, changeOf } from "./change-queries.ts";
import type { ChangeType } from "./change.ts";
import { differencesIn, type Difference } from "./differences.ts";

/**
 * A field that was changed since the form was opened: its earlier value, its value now, and the author of the last
 * change.
 */
export type ChangedMeanwhile = Difference & { changedBy: string | null; writerName: string | null };

/** Limit of changes: more than occur while a form is open. */
const MOST = 200;

const listSince = slowQuery<[type: ChangeType, resourceId: string, version: string]>(
  "changes_since",
  `select ${changeColumns.sql} from changes h
  where h.tenant_id = $1 and h.type = $2 and h.resource_id = $3 and h.at > $4::timestamptz
  order by h.at, h.id limit ${MOST}`,
).all(changeOf);

/** The fields of a resource that were changed since a version (updated_at), by name. */
export async function changedSince(
  tenant: TenantId,
  database: Database,
  type: ChangeType,
  resourceId: string,
  version: string,
): Promise<ReadonlyMap<string, ChangedMeanwhile>> {
  const changed = new Map<string, ChangedMeanwhile>();
  for (const { changed: text, changedBy, writerName } of await listSince(tenant, database, type, resourceId, version)) {
    for (const difference of differencesIn(text)) {
      const { from } = changed.get(difference.field) ?? difference;
      changed.set(difference.field, { ...difference, from, changedBy, writerName });
    }
  }
  return changed;
}
