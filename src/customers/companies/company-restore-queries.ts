import type { Database } from "../../platform/postgres/database.ts";
import { callsOf, quickQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Column, type Selected } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { memberColumns, ownerName } from "./company-columns.ts";
import { BLOCKING_TABLES, writeUnlessTaken, type Blocker, type CompanyStored } from "./company-queries.ts";
import { selectCompany } from "./live-company-queries.ts";

const HIDDEN = ["contacts", "addresses"] as const;

const belongings = selectList(
  Object.fromEntries([
    ...BLOCKING_TABLES.map((table) => [table, countOf(table, "")]),
    ...HIDDEN.map((table) => [table, countOf(table, " and deleted_at is null")]),
  ]) as Record<Blocker | (typeof HIDDEN)[number], Column<number>>,
);

/** The number of resources of a company, by kind: some block its deletion, the others are hidden with it. */
export type Belongings = Selected<typeof belongings>;

function countOf(table: string, condition: string): Column<number> {
  return column.number(`(select count(*) from ${table} where tenant_id = $1 and company_id = $2${condition})`);
}

export const countBelongings = quickQuery<[id: string]>("count_belongings", selectCompany(belongings.sql)).only(
  belongings.read,
);

const findTaxId = quickQuery<[id: string]>(
  "tax_id_of_restorable_company",
  "select tax_id from companies where tenant_id = $1 and id = $2 and merged_into is null",
).row();

const restoring = callsOf<[id: string, by: string]>(
  "restore_company",
  `with written as (
      update companies t set
        deleted_at = null,
        updated_at = case when t.deleted_at is null then t.updated_at else moment_after(t.updated_at) end,
        changed_by = case when t.deleted_at is null then t.changed_by else $3 end
      where t.tenant_id = $1 and t.id = $2 and t.merged_into is null
      returning ${memberColumns("t")}
    ) select written.*, ${ownerName("written")} from written`,
);

/**
 * Brings a deleted company back as it was, with its contacts and addresses, which were hidden with it; one that is not
 * deleted stays as it is. Null if there is none, or if it was merged into another. The unique index decides whether its
 * tax id is still free.
 */
export async function restoreCompany(
  tenant: TenantId,
  database: Database,
  id: string,
  by: string,
): Promise<CompanyStored | null> {
  const found = await findTaxId(tenant, database, id);
  if (found === null) return null;
  const values = { tax_id: found[0] ?? null, deleted_at: null };
  return await writeUnlessTaken(tenant, database, values, restoring(id, by), id);
}
