import { bulkWrites, restoringMany, type Bulk, type BulkRemoval } from "../../kit/bulk-queries.ts";
import { ciphertextsOf } from "../../platform/fields/sql.ts";
import { stepQuery } from "../../platform/postgres/query.ts";
import { column, selectList } from "../../platform/postgres/statement.ts";
import { companyIdColumn, pageOfCompaniesRows } from "../companies/company-bulk-queries.ts";
import { ofLiveCompany } from "../companies/live-company-queries.ts";
import type { Child } from "./child.ts";

/** Bulk writes of a company's children, each with its `company_id`. A child without an id is new. */
export function childBulk(child: Child): Bulk {
  const { table, fields } = child;
  const columns = { ordinal: "found.ordinal", id: "k.id", external: "k.external" };
  const former = child.merged !== undefined && { formerIds: "k.former_ids" };
  const found = ciphertextsOf(fields, "k", { ...columns, ...former });
  return {
    ...bulkWrites(child, [companyIdColumn]),
    identity: null,
    byId: stepQuery<[ids: readonly string[]]>(
      `lock_${table}_by_id`,
      `select ${found.sql}
        from unnest($2::bigint[]) with ordinality as found (id, ordinal)
        join ${table} k on k.tenant_id = $1 and k.id = found.id and k.deleted_at is null
        where k.id = any($2::bigint[]) and ${ofLiveCompany("k")}
        order by k.id for no key update of k`,
    ).all(found.read),
    page: pageOfCompaniesRows(child, "k.deleted_at is null"),
  };
}

const named = selectList({ id: column.text("n.id"), blockers: column.list<string>("'[]'") });

/** Deletes and restores many children of a kind. Nothing prevents their deletion. */
export function childRemoval({ table, merged }: Child): BulkRemoval {
  const deleteMany = stepQuery<[ids: readonly string[], by: string]>(
    `delete_many_${table}`,
    `with deleted as (
      update ${table} k set deleted_at = moment_after(k.updated_at), updated_at = moment_after(k.updated_at), changed_by = $3
      where k.tenant_id = $1 and k.id = any($2::bigint[]) and k.deleted_at is null
    ) select ${named.sql} from unnest($2::bigint[]) as n (id)`,
  ).all(named.read);
  return {
    delete: deleteMany,
    ...restoringMany(table, `${merged === undefined ? "" : "k.merged_into is null and "}${ofLiveCompany("k")}`),
    mergesOf: merged?.mergesOf,
  };
}
