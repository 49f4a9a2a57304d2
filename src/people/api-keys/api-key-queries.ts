import type { Database } from "../../platform/postgres/database.ts";
import { callsOf, quickQuery, runAll, stepQuery, writeQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Call, type Selected } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { ACCESS_CHANGED } from "../tenants/tenant-queries.ts";
import { recentRequests } from "./key-request-queries.ts";

/** A company to try a key with; null if there is none. */
export const findFirstCompany = quickQuery(
  "find_first_company",
  "select c.id from companies c where c.tenant_id = $1 and c.deleted_at is null order by c.id limit 1",
).value();

const rights = selectList({
  hash: column.text("encode(key_hash, 'hex')"),
  id: column.text("id"),
  capabilities: column.list<string>("array_to_json(capabilities)"),
  expiresAt: "expires_at",
  allowIp: column.list<string>("array_to_json(allow_ip)"),
  /** Requests per minute; null: the installation's own limit. */
  rate: column.numberOrNull("rate"),
  isRevoked: column.flag("revoked_at is not null"),
  /** Whether a person confirms on the page what its assistant destroys or sends. */
  confirmsOnPage: column.flag("confirms_on_page is true"),
});

/** A key as authentication reads it, with its rights. Timestamps are PostgreSQL's text. */
export type KeyRights = Selected<typeof rights>;

/** The tenant's keys that have one of the hashes (SHA-256 in hexadecimal, each behind `\\x`), by hash. */
export const findKeysByHash = quickQuery<[hashes: string[]]>(
  "find_keys_by_hash",
  `select ${rights.sql} from api_keys where tenant_id = $1 and key_hash = any($2::bytea[])`,
).of((rows): ReadonlyMap<string, KeyRights> => new Map(rows.map(rights.read).map((key) => [key.hash, key])));

const own = selectList({
  tenantSlug: column.text("(select slug from tenants where id = $1)"),
  tenantName: column.text("(select name from tenants where id = $1)"),
  id: column.number("id"),
  name: column.text("name"),
  capabilities: column.list<string>("array_to_json(capabilities)"),
  allowIp: column.list<string>("array_to_json(allow_ip)"),
  expiresAt: "expires_at",
});

/** A key as it describes itself, with its tenant. Timestamps are PostgreSQL's text. Null if there is no such key. */
export const findOwnKey = quickQuery<[id: string]>(
  "find_own_key",
  `select ${own.sql} from api_keys where tenant_id = $1 and id = $2`,
).first(own.read);

/** Changes the row at most once a minute, however many processes ask (docs/contract.md 2.3). */
export const recordKeyUse = writeQuery<[id: string, address: string]>(
  "record_key_use",
  `update api_keys set last_used_at = now(), last_used_from = $3
  where tenant_id = $1 and id = $2 and (last_used_at is null or last_used_at <= now() - interval '1 minute')`,
).nothing();

/** Each process asks at most once an hour (authenticate.ts). */
export const recordCapabilityUse = writeQuery<[id: string, capability: string]>(
  "record_capability_use",
  `insert into key_uses (tenant_id, key_id, capability, last_used_at) values ($1, $2, $3, now())
  on conflict (tenant_id, key_id, capability) do update set last_used_at = excluded.last_used_at`,
).nothing();

export type NewApiKey = {
  name: string;
  hash: Buffer;
  prefix: string;
  last4: string;
  capabilities: string[];
  /** RFC 3339, or null. */
  expiresAt: string | null;
  allowIp: string[];
  rate: number | null;
  confirmsOnPage: boolean;
  /** The user who made it; null: the command line. */
  createdBy: string | null;
  /** Committed with it. */
  alongside: readonly Call[];
};

const RECENT = "30 days";

const listed = selectList({
  id: column.number("id"),
  name: column.text("name"),
  prefix: column.text("prefix"),
  last4: column.text("last4"),
  capabilities: column.list<string>("array_to_json(capabilities)"),
  expiresAt: "expires_at",
  allowIp: column.list<string>("array_to_json(allow_ip)"),
  rate: column.numberOrNull("rate"),
  lastUsedAt: "last_used_at",
  /** The address of that use. */
  lastUsedFrom: "last_used_from",
  /** The capabilities that it used in the last 30 days, to the hour. */
  recentlyUsed:
    column.list<string>(`(select array_to_json(array_agg(u.capability order by u.capability)) from key_uses u
    where u.tenant_id = $1 and u.key_id = k.id and u.last_used_at > now() - interval '${RECENT}')`),
  /** Those of the last 30 days that are written down. */
  requests: column.number(recentRequests),
  confirmsOnPage: column.flag("confirms_on_page is true"),
  createdAt: column.text("created_at"),
  revokedAt: "revoked_at",
  /** When another key replaced it. */
  replacedAt: "replaced_at",
});

/** A key as it is listed: never the secret, nor its hash. Timestamps are PostgreSQL's text. */
export type ListedKey = Selected<typeof listed>;

const inserted = selectList({ id: column.number("id"), expiresAt: "expires_at" });

const inserting = callsOf<
  Omit<NewApiKey, "confirmsOnPage" | "alongside"> & { changedBy: string; confirmsOnPage: "true" | null }
>(
  "insert_api_key",
  `insert into api_keys
    (tenant_id, name, key_hash, prefix, last4, capabilities, expires_at, allow_ip, rate, created_by, changed_by, confirms_on_page)
  values ($1, :name, :hash, :prefix, :last4, :capabilities, :expiresAt, :allowIp, :rate, :createdBy, :changedBy,
    :confirmsOnPage) returning ${inserted.sql}`,
);

export async function insertApiKey(
  tenant: TenantId,
  database: Database,
  key: NewApiKey,
): Promise<Selected<typeof inserted>> {
  const [rows] = await database.write(tenant, callsFor(key));
  return inserted.read(rows?.[0] ?? []);
}

function callsFor({ alongside, ...key }: NewApiKey): Call[] {
  const changedBy = key.createdBy === null ? "command" : `user:${key.createdBy}`;
  return [inserting({ ...key, changedBy, confirmsOnPage: key.confirmsOnPage ? "true" : null }), ...alongside];
}

/** Null if the tenant has no such key. */
export const findApiKey = quickQuery<[id: string]>(
  "find_api_key",
  `select ${listed.sql} from api_keys k where tenant_id = $1 and id = $2`,
).first(listed.read);

export const listApiKeys = quickQuery(
  "list_api_keys",
  `select ${listed.sql} from api_keys k where tenant_id = $1 order by id`,
).all(listed.read);

// On Citus RETURNING accepts only immutable functions: the query around it calls the others.
const revoking = callsOf<[id: string, by: string]>(
  "revoke_api_key",
  `with revoked as (
    update api_keys set revoked_at = least(revoked_at, now()), changed_by = $3, updated_at = moment_after(updated_at)
    where tenant_id = $1 and id = $2 returning *
  ) select ${listed.sql} from revoked k`,
);

const notifying = callsOf("notify_access_changed", `select pg_notify('${ACCESS_CHANGED}', $1::text)`);

/** Null if there is no such key. The commit notifies every process. @param by the author, as in changes.changed_by */
export async function revokeApiKey(
  tenant: TenantId,
  database: Database,
  id: string,
  by: string,
): Promise<ListedKey | null> {
  const [rows] = await database.write(tenant, [revoking(id, by), notifying()]);
  return listed.first(rows);
}

/** False if the key has that name already, or is revoked. */
export const renameApiKey = writeQuery<[id: string, name: string, by: string]>(
  "rename_api_key",
  `update api_keys set name = $3, changed_by = $4, updated_at = moment_after(updated_at)
  where tenant_id = $1 and id = $2 and revoked_at is null and name <> $3 returning id`,
).exists();

const endSoon = stepQuery<[id: string, by: string]>(
  "end_api_key_soon",
  `update api_keys set expires_at = least(expires_at, now() + interval '1 day'), replaced_at = now(), changed_by = $3,
    updated_at = moment_after(updated_at)
  where tenant_id = $1 and id = $2 and replaced_at is null and revoked_at is null
    and (expires_at is null or expires_at > now()) returning id`,
).exists();

/**
 * Inserts the successor of a key, which works for one more day at most, so that its program can get the new one. False
 * if the key has a successor already, or does not work any more: then it gets none, however many ask at once.
 */
export async function replaceApiKey(
  tenant: TenantId,
  database: Database,
  { id, by }: { id: string; by: string },
  successor: NewApiKey,
): Promise<boolean> {
  return await database.transaction(tenant, async (run) => {
    if (!(await endSoon(run, id, by))) return false;
    await runAll(run, [...callsFor(successor), notifying()]);
    return true;
  });
}
