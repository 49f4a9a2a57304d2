import { usersIn, withUsersChecked, type Draft, type Writable } from "../../platform/fields/draft.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { activeUsersAmong } from "./user-queries.ts";

/**
 * Adds the rule that only the database can check: a field of kind `user` names an active user of the tenant. One query
 * for all drafts, and none if they name no user (docs/contract.md 4.3).
 */
export async function checkUsers(
  tenant: TenantId,
  database: Database,
  noun: Writable,
  drafts: readonly Draft[],
): Promise<readonly Draft[]> {
  const named = usersIn(noun, drafts);
  if (named.length === 0) return drafts;
  const active = await activeUsersAmong(tenant, database, named);
  return drafts.map((draft) => withUsersChecked(noun, draft, active));
}
