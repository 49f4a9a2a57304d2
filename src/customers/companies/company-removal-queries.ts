import { restoringMany, type BulkRemoval } from "../../kit/bulk-queries.ts";
import { stepQuery } from "../../platform/postgres/query.ts";
import { column, selectList } from "../../platform/postgres/statement.ts";
import { BLOCKING_TABLES } from "./company-queries.ts";
import { mergedCompanies } from "./merged-queries.ts";

const named = selectList({ id: column.text("n.id"), blockers: column.list<string>("array_to_json(n.kinds)") });

/** "offset 0" keeps this a look-up per company: otherwise PostgreSQL may read all rows of the tenant. */
const blocking = BLOCKING_TABLES.map(
  (table) => `case when exists (
      select from ${table} b where b.tenant_id = $1 and b.company_id = n.id offset 0
    ) then '${table}' end`,
);

const deleteCompanies = stepQuery<[ids: readonly string[], by: string]>(
  "delete_companies",
  `with named as materialized (
    select n.id, array_remove(array[${blocking.join(", ")}], null) as kinds from unnest($2::bigint[]) as n (id)
  ), deleted as (
    update companies c set deleted_at = moment_after(c.updated_at), updated_at = moment_after(c.updated_at), changed_by = $3
    from named n
    where c.tenant_id = $1 and c.id = any($2::bigint[]) and c.id = n.id and n.id = n.id + 0 and c.deleted_at is null
      and n.kinds = '{}'
  ) select ${named.sql} from named n`,
).all(named.read);

/** Deletes and restores many companies. */
export const companyRemoval: BulkRemoval = {
  delete: deleteCompanies,
  ...restoringMany("companies", "k.merged_into is null"),
  mergesOf: mergedCompanies.mergesOf,
};
