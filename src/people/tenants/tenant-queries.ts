import type { Database } from "../../platform/postgres/database.ts";
import { callMaker } from "../../platform/postgres/query.ts";
import { column, selectList, type Selected, type Statement } from "../../platform/postgres/statement.ts";
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

const findStatement: Statement = {
  name: "find_workspace",
  text: `select ${columns.sql} from tenants where slug = $1`,
};

/** The tenant of a slug; null for an unknown slug, and for a text that is none. This look-up names no tenant. */
export async function findTenant(database: Database, slug: string): Promise<Tenant | null> {
  return isSlug(slug) ? await findWorkspace(database, slug) : null;
}

/** Like findTenant, and with an empty slug the installation's own workspace, whose users are operators. */
export async function findWorkspace(database: Database, slug: string): Promise<Tenant | null> {
  if (slug !== INSTALLATION_SLUG && !isSlug(slug)) return null;
  return columns.first(await database.readShared(findStatement, [slug]));
}

const findAllStatement: Statement = {
  name: "find_tenants",
  text: `select ${columns.sql} from tenants where slug = any($1::text[]) and id > 0`,
};

/** The tenants that have one of the slugs, by slug. */
export async function findTenants(database: Database, slugs: string[]): Promise<ReadonlyMap<string, Tenant>> {
  const rows = await database.readShared(findAllStatement, [slugs]);
  return new Map(rows.map(columns.read).map((tenant) => [tenant.slug, tenant]));
}

const listStatement: Statement = {
  name: "list_tenants",
  text: `select ${columns.sql} from tenants where id > 0 order by slug`,
};

export async function listTenants(database: Database): Promise<Tenant[]> {
  return (await database.readShared(listStatement)).map(columns.read);
}

export const insertingTenant = callMaker<[slug: string, name: string, country: string | null]>(
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

const suspendStatement: Statement = {
  name: "suspend_tenant",
  text: `update tenants set suspended_at = least(suspended_at, now()), session_epoch = session_epoch + 1
  where slug = $1 and id > 0 returning ${columns.sql}`,
};

const resumeStatement: Statement = {
  name: "resume_tenant",
  text: `update tenants set suspended_at = null where slug = $1 and id > 0 and deleting_at is null returning ${columns.sql}`,
};

const notifyStatement: Statement = {
  name: "notify_tenant_changed",
  text: `select pg_notify('${ACCESS_CHANGED}', $1)`,
};

/**
 * Suspends or resumes a tenant; null if there is none, or if it should be resumed while it is deleted. The commit
 * notifies every process. A suspension ends the sessions for good.
 */
export async function setSuspended(database: Database, slug: string, suspended: boolean): Promise<Tenant | null> {
  const [rows] = await database.owner([
    { statement: suspended ? suspendStatement : resumeStatement, parameters: [slug] },
    { statement: notifyStatement, parameters: [slug] },
  ]);
  return columns.first(rows);
}

const beginDeletionStatement: Statement = {
  name: "begin_deletion_of_tenant",
  text: `update tenants set deleting_at = least(deleting_at, now()) where id = $1 and suspended_at is not null returning id`,
};

/** Marks a suspended tenant as one that is being deleted, and can never be resumed; false if it is not suspended. */
export async function beginDeletion(tenant: TenantId, database: Database): Promise<boolean> {
  const [rows] = await database.owner([{ statement: beginDeletionStatement, parameters: [tenant] }]);
  return rows?.length === 1;
}

const endDeletionStatement: Statement = { name: "delete_tenant", text: "delete from tenants where id = $1" };

/** Deletes a tenant without rows; the database refuses it (23503) if rows are left. */
export async function endDeletion(tenant: TenantId, database: Database): Promise<void> {
  await database.owner([
    { statement: endDeletionStatement, parameters: [tenant] },
    { statement: notifyStatement, parameters: [tenant] },
  ]);
}

/** The change that a workspace's admins make; null leaves a field as it is. */
export type WorkspaceChange = { name: string | null; country: string | null; timeZone: string | null };

const lockStatement: Statement = { name: "lock_tenant", text: "select id from tenants where id = $1 for update" };

const noteStatement: Statement = {
  name: "note_workspace_change",
  // By a statement of its own, because every node of a cluster has the tenants, and each would run its trigger.
  text: `insert into changes (tenant_id, at, type, resource_id, action, changed, changed_by)
  select t.id, now(), 'workspace', t.id, 'updated', d.changed, $5 from tenants t, lateral (
    select workspace_differences(to_jsonb(t), jsonb_build_object('name', coalesce($2, t.name), 'country', coalesce($3, t.country),
      'time_zone', coalesce($4, t.time_zone)), '{name,country,time_zone}', '{}') as changed
  ) d where t.id = $1 and d.changed <> '{}'`,
};

const changeStatement: Statement = {
  name: "change_workspace",
  text: `update tenants set name = coalesce($2, name), country = coalesce($3, country), time_zone = coalesce($4, time_zone)
  where id = $1`,
};

/** The commit notifies every process: keys remember the country. @param by the author, as in changes.changed_by */
export async function changeWorkspace(
  tenant: TenantId,
  database: Database,
  { name, country, timeZone }: WorkspaceChange,
  by: string,
): Promise<void> {
  await database.owner([
    { statement: lockStatement, parameters: [tenant] },
    { statement: noteStatement, parameters: [tenant, name, country, timeZone, by] },
    { statement: changeStatement, parameters: [tenant, name, country, timeZone] },
    { statement: notifyStatement, parameters: [tenant] },
  ]);
}
