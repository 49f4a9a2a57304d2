import type { Database } from "../../platform/postgres/database.ts";
import { callsOf, sharedQuery } from "../../platform/postgres/query.ts";
import { column, selectList, withTenant, type Selected } from "../../platform/postgres/statement.ts";
import { asTenantId, type TenantId } from "../../platform/postgres/tenant-id.ts";
import { INSTALLATION_SLUG, isSlug } from "./tenant.ts";

/** The notification that a key or a tenant changed, for the caches of every process. */
export const ACCESS_CHANGED = "liaison_access";

const columns = selectList({
  id: { sql: "id", read: (id) => asTenantId(String(id)) },
  slug: column.text("slug"),
  name: column.text("name"),
  country: column.text("country"),
  suspendedAt: "suspended_at",
  /** When its deletion began; null otherwise. */
  deletingAt: "deleting_at",
  sessionEpoch: column.number("session_epoch"),
});

export type Tenant = Selected<typeof columns>;

const findBySlug = sharedQuery<[slug: string]>(
  "find_workspace",
  `select ${columns.sql} from tenants where slug = $1`,
).first(columns.read);

/** The tenant of a slug; null for an unknown slug, and for a text that is none. This look-up names no tenant. */
export async function findTenant(database: Database, slug: string): Promise<Tenant | null> {
  return isSlug(slug) ? await findWorkspace(database, slug) : null;
}

/** Like findTenant, and with an empty slug the installation's own workspace, whose users are operators. */
export async function findWorkspace(database: Database, slug: string): Promise<Tenant | null> {
  if (slug !== INSTALLATION_SLUG && !isSlug(slug)) return null;
  return await findBySlug(database, slug);
}

/** The tenants that have one of the slugs, by slug. */
export const findTenants = sharedQuery<[slugs: string[]]>(
  "find_tenants",
  `select ${columns.sql} from tenants where slug = any($1::text[]) and id > 0`,
).of((rows): ReadonlyMap<string, Tenant> => new Map(rows.map(columns.read).map((tenant) => [tenant.slug, tenant])));

export const listTenants = sharedQuery(
  "list_tenants",
  `select ${columns.sql} from tenants where id > 0 order by slug`,
).all(columns.read);

export const insertingTenant = callsOf<[slug: string, name: string, country: string | null]>(
  "insert_tenant",
  `insert into tenants (slug, name, country) values ($1, $2, coalesce($3, 'Romania'))
  on conflict (slug) do nothing returning ${columns.sql}`,
);

/** Null if another tenant has the slug. */
export async function insertTenant(
  database: Database,
  slug: string,
  name: string,
  country: string | null,
): Promise<Tenant | null> {
  const [rows] = await database.owner([insertingTenant(slug, name, country)]);
  return columns.first(rows);
}

const suspending = callsOf<[slug: string]>(
  "suspend_tenant",
  `update tenants set suspended_at = least(suspended_at, now()), session_epoch = session_epoch + 1
  where slug = $1 and id > 0 returning ${columns.sql}`,
);

const resuming = callsOf<[slug: string]>(
  "resume_tenant",
  `update tenants set suspended_at = null where slug = $1 and id > 0 and deleting_at is null returning ${columns.sql}`,
);

/** @param of the tenant's slug or id */
const notifying = callsOf<[of: string]>("notify_tenant_changed", `select pg_notify('${ACCESS_CHANGED}', $1)`);

/**
 * Suspends or resumes a tenant; null if there is none, or if it should be resumed while it is deleted. The commit
 * notifies every process. A suspension ends the sessions for good.
 */
export async function setSuspended(database: Database, slug: string, suspended: boolean): Promise<Tenant | null> {
  const [rows] = await database.owner([suspended ? suspending(slug) : resuming(slug), notifying(slug)]);
  return columns.first(rows);
}

const beginningDeletion = callsOf<[id: string]>(
  "begin_deletion_of_tenant",
  "update tenants set deleting_at = least(deleting_at, now()) where id = $1 and suspended_at is not null returning id",
);

/** Marks a suspended tenant as one that is being deleted, and can never be resumed; false if it is not suspended. */
export async function beginDeletion(tenant: TenantId, database: Database): Promise<boolean> {
  const [rows] = await database.owner([beginningDeletion(tenant)]);
  return rows?.length === 1;
}

const deleting = callsOf<[id: string]>("delete_tenant", "delete from tenants where id = $1");

/** Deletes a tenant without rows; the database refuses it (23503) if rows are left. */
export async function endDeletion(tenant: TenantId, database: Database): Promise<void> {
  await database.owner([deleting(tenant), notifying(tenant)]);
}

/** The change that a workspace's admins make; null leaves a field as it is. */
export type WorkspaceChange = { name: string | null; country: string | null; timeZone: string | null };

const locking = callsOf<[id: string]>("lock_tenant", "select id from tenants where id = $1 for update");

// By a statement of its own, because every node of a cluster has the tenants, and each would run its trigger.
const notingChange = callsOf<WorkspaceChange & { by: string }>(
  "note_workspace_change",
  `insert into changes (tenant_id, at, type, resource_id, action, changed, changed_by)
  select t.id, now(), 'workspace', t.id, 'updated', d.changed, :by from tenants t, lateral (
    select workspace_differences(to_jsonb(t), jsonb_build_object('name', coalesce(:name, t.name),
      'country', coalesce(:country, t.country), 'time_zone', coalesce(:timeZone, t.time_zone)),
      '{name,country,time_zone}', '{}') as changed
  ) d where t.id = $1 and d.changed <> '{}'`,
);

const changing = callsOf<WorkspaceChange>(
  "change_workspace",
  `update tenants set name = coalesce(:name, name), country = coalesce(:country, country),
    time_zone = coalesce(:timeZone, time_zone)
  where id = $1`,
);

/** The commit notifies every process: keys remember the country. @param by the author, as in changes.changed_by */
export async function changeWorkspace(
  tenant: TenantId,
  database: Database,
  change: WorkspaceChange,
  by: string,
): Promise<void> {
  const calls = withTenant(tenant, [notingChange({ ...change, by }), changing(change)]);
  await database.owner([locking(tenant), ...calls, notifying(tenant)]);
}
