import type { Database } from "../platform/postgres/database.ts";
import type { Parameter, Row, Statement } from "../platform/postgres/statement.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";
import { ACCESS_CHANGED } from "../tenants/tenant-queries.ts";

const usableStatement: Statement = {
  name: "find_api_key",
  text: `select id, array_to_json(capabilities), expires_at, array_to_json(allow_ip), rate, revoked_at is not null
  from api_keys where tenant_id = $1 and key_hash = $2`,
};

/** id, capabilities (JSON), expires_at, allowed networks (JSON), rate, whether revoked ("t"); or null. */
export async function findKeyByHash(tenant: TenantId, database: Database, hash: Buffer): Promise<Row | null> {
  const [row] = await database.quick.read(tenant, usableStatement, [hash]);
  return row ?? null;
}

const usedStatement: Statement = {
  name: "touch_api_key",
  text: `update api_keys set last_used_at = now()
  where tenant_id = $1 and id = $2 and (last_used_at is null or last_used_at <= now() - interval '1 minute')`,
};

/** Written at most once a minute, however many processes ask (decisions 7). */
export async function recordKeyUse(tenant: TenantId, database: Database, id: string): Promise<void> {
  await database.write(tenant, [{ statement: usedStatement, parameters: [id] }]);
}

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
};

/** The columns of a key as it is listed: never the secret, nor its hash. */
const listed =
  "id, name, prefix, last4, array_to_json(capabilities), expires_at, array_to_json(allow_ip), rate, last_used_at, revoked_at";

const insertStatement: Statement = {
  name: "insert_api_key",
  text: `insert into api_keys (tenant_id, name, key_hash, prefix, last4, capabilities, expires_at, allow_ip, rate)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning ${listed}`,
};

export async function insertApiKey(tenant: TenantId, database: Database, key: NewApiKey): Promise<Row> {
  const parameters: Parameter[] = [
    key.name,
    key.hash,
    key.prefix,
    key.last4,
    key.capabilities,
    key.expiresAt,
    key.allowIp,
    key.rate,
  ];
  const [rows] = await database.write(tenant, [{ statement: insertStatement, parameters }]);
  return rows?.[0] ?? [];
}

const listStatement: Statement = {
  name: "list_api_keys",
  text: `select ${listed} from api_keys where tenant_id = $1 order by id`,
};

export async function listApiKeys(tenant: TenantId, database: Database): Promise<Row[]> {
  return await database.quick.read(tenant, listStatement);
}

const revokeStatement: Statement = {
  name: "revoke_api_key",
  text: `update api_keys set revoked_at = coalesce(revoked_at, now()) where tenant_id = $1 and id = $2 returning ${listed}`,
};

const notifyStatement: Statement = {
  name: "notify_access_changed",
  text: `select pg_notify('${ACCESS_CHANGED}', $1::text)`,
};

/** Null where the tenant has no such key. Every process hears of it when it is committed. */
export async function revokeApiKey(tenant: TenantId, database: Database, id: string): Promise<Row | null> {
  const [rows] = await database.write(tenant, [
    { statement: revokeStatement, parameters: [id] },
    { statement: notifyStatement, parameters: [] },
  ]);
  return rows?.[0] ?? null;
}
