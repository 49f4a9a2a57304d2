import type { Value } from "../platform/fields/validation.ts";
import type { Database } from "../platform/postgres/database.ts";
import { isUniqueViolation } from "../platform/postgres/failures.ts";
import { selectList, type Call, type Statement } from "../platform/postgres/statement.ts";
import { asTenantId, type TenantId } from "../platform/postgres/tenant-id.ts";

const reserved = selectList({
  tenant: "nextval('tenants_id_seq')",
  users: "array_to_json(array(select nextval('users_id_seq') from generate_series(1, $1::int)))",
  companies: "array_to_json(array(select nextval('companies_id_seq') from generate_series(1, $2::int)))",
});

const reserveStatement: Statement = { name: "reserve_demo_ids", text: `select ${reserved.sql}` };

export type ReservedIds = { tenant: TenantId; users: number[]; companies: number[] };

/** Ids for rows to come, so that all of them can be written in one go, values encrypted for their tenant included. */
export async function reserveIds(database: Database, users: number, companies: number): Promise<ReservedIds> {
  const [rows] = await database.owner([{ statement: reserveStatement, parameters: [users, companies] }]);
  const ids = reserved.read(rows?.[0] ?? []);
  return {
    tenant: asTenantId(String(ids.tenant)),
    users: JSON.parse(String(ids.users)) as number[],
    companies: JSON.parse(String(ids.companies)) as number[],
  };
}

const tenantStatement: Statement = {
  name: "insert_demo_tenant",
  text: "insert into tenants (id, slug, name, country) values ($1, $2, $3, $4)",
};

/** Rows of one table, each with a value or null for every column. */
export type DemoRows = { table: string; columns: string[]; rows: Record<string, Value>[] };

/** A change that a user made of a company, some time after it was created. */
export type DemoChange = { companyId: number; by: string; at: string; status: string | null; notes: string | null };

const changeStatement: Statement = {
  name: "change_demo_company",
  text: `update companies set status = coalesce($3, status), notes = coalesce($4, notes), updated_at = $5, changed_by = $6
  where tenant_id = $1 and id = $2`,
};

/**
 * Creates the tenant with all its rows in one transaction: a crash leaves nothing, or everything. False where another
 * process has created a tenant of the slug.
 */
export async function insertDemo(
  tenant: TenantId,
  database: Database,
  { slug, name, country }: { slug: string; name: string; country: string },
  tables: DemoRows[],
  changes: DemoChange[],
): Promise<boolean> {
  try {
    await database.owner([
      { statement: tenantStatement, parameters: [tenant, slug, name, country] },
      ...tables.map((rows) => insertRows(tenant, rows)),
      ...changes.map(({ companyId, status, notes, at, by }) => ({
        statement: changeStatement,
        parameters: [tenant, companyId, status, notes, at, by],
      })),
    ]);
    return true;
  } catch (error) {
    if (isUniqueViolation(error, "tenants_slug_key")) return false;
    throw error;
  }
}

function insertRows(tenant: TenantId, { table, columns, rows }: DemoRows): Call {
  const list = columns.join(", ");
  return {
    statement: {
      name: `insert_demo_${table}`,
      text: `insert into ${table} (tenant_id, ${list})
      select $1, ${list} from json_populate_recordset(null::${table}, $2)`,
    },
    parameters: [tenant, JSON.stringify(rows)],
  };
}
