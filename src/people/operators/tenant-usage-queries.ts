import type { Database } from "../../platform/postgres/database.ts";
import { oneValue, type Call, type Row } from "../../platform/postgres/statement.ts";

/** A tenant and its usage, for operators. Timestamps are PostgreSQL's text. */
export type TenantUsage = {
  id: string;
  slug: string;
  name: string;
  country: string;
  createdAt: string;
  suspendedAt: string | null;
  isBeingDeleted: boolean;
  companies: number;
  /** Active users. */
  users: number;
  /** Keys that are not revoked. */
  keys: number;
  /** The last use of a key or a session. */
  lastUsedAt: string | null;
  orders: TenantOrders;
};

/** A tenant's orders that wait to reach a warehouse, and those that failed: at most MOST_ORDERS each. */
export type TenantOrders = { waiting: number; failed: number; oldestWaitAt: string | null };

/** With more orders, their exact number changes nothing for an operator. */
export const MOST_ORDERS = 1_000;

const PER_PAGE = 100;
const columns = "id, slug, name, country, created_at, suspended_at, deleting_at is not null";

/** The tenants of a page by slug, and their total number. Only for the owner role, because it reads all tenants. */
export async function listTenantUsage(
  database: Database,
  page: number,
): Promise<{ tenants: TenantUsage[]; total: number; perPage: number }> {
  const [total, rows = []] = await database.owner([
    { statement: { name: "", text: "select count(*) from tenants where id > 0" }, parameters: [] },
    {
      statement: { name: "", text: `select ${columns} from tenants where id > 0 order by slug limit $1 offset $2` },
      parameters: [PER_PAGE, (page - 1) * PER_PAGE],
    },
  ]);
  return { tenants: await withUsage(database, rows), total: Number(oneValue(total)), perPage: PER_PAGE };
}

/** The tenant with a slug, or null. Only for the owner role. */
export async function findTenantUsage(database: Database, slug: string): Promise<TenantUsage | null> {
  const [rows = []] = await database.owner([
    { statement: { name: "", text: `select ${columns} from tenants where slug = $1` }, parameters: [slug] },
  ]);
  return (await withUsage(database, rows))[0] ?? null;
}

async function withUsage(database: Database, rows: Row[]): Promise<TenantUsage[]> {
  const ids = rows.map(([id]) => String(id));
  const usages = usageOf(ids);
  const answers = await database.owner([...usages, ...ids.map(ordersOf)]);
  const [companies, users, keys, sessions] = answers.slice(0, usages.length).map(byTenant);
  const orders = answers.slice(usages.length).map(([row = []]) => row);
  return rows.map(([id, slug, name, country, createdAt, suspendedAt = null, isBeingDeleted], index) => {
    const [waiting, failed, oldestWaitAt = null] = orders[index] ?? [];
    const tenant = String(id);
    const [keyCount, keyUsedAt] = keys?.get(tenant) ?? [];
    const [sessionSeenAt] = sessions?.get(tenant) ?? [];
    return {
      id: tenant,
      slug: String(slug),
      name: String(name),
      country: String(country),
      createdAt: String(createdAt),
      suspendedAt,
      isBeingDeleted: isBeingDeleted === "t",
      companies: Number(companies?.get(tenant)?.[0] ?? 0),
      users: Number(users?.get(tenant)?.[0] ?? 0),
      keys: Number(keyCount ?? 0),
      lastUsedAt:
        [keyUsedAt, sessionSeenAt]
          .filter((time) => typeof time === "string")
          .toSorted()
          .at(-1) ?? null,
      orders: { waiting: Number(waiting ?? 0), failed: Number(failed ?? 0), oldestWaitAt },
    };
  });
}

/** One count per tenant, because a Citus cluster cannot join tables of the nodes with a local one. */
function usageOf(ids: string[]): Call[] {
  const texts = [
    `select tenant_id, sum(n) from (
      select tenant_id, total as n from company_count_sums where tenant_id = any($1::bigint[])
      union all select tenant_id, n from company_count_changes where tenant_id = any($1::bigint[])
    ) counted group by tenant_id`,
    "select tenant_id, count(*) from users where tenant_id = any($1::bigint[]) and deactivated_at is null group by tenant_id",
    `select tenant_id, count(*) filter (where revoked_at is null), max(last_used_at) from api_keys
      where tenant_id = any($1::bigint[]) group by tenant_id`,
    "select tenant_id, max(last_seen_at) from sessions where tenant_id = any($1::bigint[]) group by tenant_id",
  ];
  return texts.map((text) => ({ statement: { name: "", text }, parameters: [ids] }));
}

/**
 * One statement per tenant, because a limit bounds the rows that each reads. The first jobs by subject are those of the
 * oldest invoices.
 */
function ordersOf(tenant: string): Call {
  const ordersIn = (condition: string) =>
    `(select count(*) from (select from invoices where tenant_id = $1 and ${condition} limit ${MOST_ORDERS}) n)`;
  const text = `select ${ordersIn("wms_state in ('queued', 'sending', 'unknown')")}, ${ordersIn("wms_state = 'failed'")},
    (select min(enqueued_at) from (select enqueued_at from jobs where tenant_id = $1 and kind = 'send-invoice'
      and state = 'waiting' order by subject limit ${MOST_ORDERS}) n)`;
  return { statement: { name: "tenant_orders", text }, parameters: [tenant] };
}

function byTenant(rows: Row[]): ReadonlyMap<string, Row> {
  return new Map(rows.map(([tenant, ...usage]) => [String(tenant), usage]));
}
