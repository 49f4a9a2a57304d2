import { BoundedMap } from "../platform/bounded-map.ts";
import type { Database } from "../platform/postgres/database.ts";
import type { Statement } from "../platform/postgres/statement.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";

/** At least this many changes are folded at once (migrations/0010): to ask earlier is in vain. */
const FOLD_AFTER = 64;
/** Of a tenant that is forgotten, fewer than FOLD_AFTER changes stay unfolded for longer. */
const MOST_TENANTS = 10_000;

/** The changes of a tenant's counts since they were folded. */
type State = { changes: number; isFolding: boolean };
const states = new WeakMap<Database, BoundedMap<State>>();

const foldStatement: Statement = {
  name: "fold_company_counts",
  text: "insert into company_count_sums (tenant_id) values ($1)",
};

/**
 * Says that companies were created, deleted or given another status. What that changes in the counts is appended to a
 * list, which every reader of a total adds up: it is kept short from here, beside the writes
 * (docs/decisions/0020-appended-counts.md).
 */
export function noteCounted(tenant: TenantId, { unattended: database }: Database, changes = 1): void {
  const ofDatabase = states.get(database) ?? new BoundedMap<State>(MOST_TENANTS);
  states.set(database, ofDatabase);
  const state = ofDatabase.get(tenant) ?? { changes: 0, isFolding: false };
  ofDatabase.set(tenant, state);
  state.changes += changes;
  if (state.changes < FOLD_AFTER || state.isFolding) return;
  state.changes = 0;
  state.isFolding = true;
  void foldCounts(tenant, database).finally(() => {
    state.isFolding = false;
  });
}

/** Never fails: what is not folded now is folded with the next, and counts meanwhile all the same. */
export async function foldCounts(tenant: TenantId, database: Database): Promise<void> {
  await database.transaction(tenant, async (run) => await run(foldStatement)).catch(() => {});
}
