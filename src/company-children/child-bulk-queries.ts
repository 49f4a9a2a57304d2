import { companyIdColumn, pageOfCompaniesRows } from "../companies/company-bulk-queries.ts";
import { ofLiveCompany } from "../companies/live-company-queries.ts";
import { bulkWrites, type Bulk } from "../platform/fields/bulk.ts";
import { ciphertextsOf } from "../platform/fields/sql.ts";
import type { Child } from "./child.ts";

/** Bulk writes of a company's children, each with its `company_id`. A child without an id is new. */
export function childBulk(child: Child): Bulk {
  const { table, fields } = child;
  const found = ciphertextsOf(fields, "k", { ordinal: "found.ordinal", id: "k.id", external: "k.external" });
  return {
    ...bulkWrites(child, [companyIdColumn]),
    identity: null,
    byId: {
      find: {
        name: `lock_${table}_by_id`,
        text: `select ${found.sql}
        from unnest($2::bigint[]) with ordinality as found (id, ordinal)
        join ${table} k on k.tenant_id = $1 and k.id = found.id and k.deleted_at is null
        where k.id = any($2::bigint[]) and ${ofLiveCompany("k")}
        order by k.id for no key update of k`,
      },
      found,
    },
    page: pageOfCompaniesRows(child, "k.deleted_at is null"),
  };
}
