import { bulkWrites, type Bulk } from "../platform/bulk.ts";
import { columnsOf, namesOf } from "../platform/sql.ts";
import type { Child } from "./child.ts";

/** A company's children by the hundred, each with its `company_id`. Every one of them is new. */
export function childBulk({ table, fields }: Child): Bulk {
  return {
    ...bulkWrites(table, fields, [{ name: "company_id", type: "bigint" }]),
    key: null,
    page: {
      name: `export_${table}`,
      text: `select k.id, c.id, c.tax_id, ${columnsOf(namesOf(fields), "k")}
      from ${table} k join companies c on c.tenant_id = $1 and c.id = k.company_id and c.deleted_at is null
      where k.tenant_id = $1 and k.id > $2 and k.deleted_at is null order by k.id limit $3`,
    },
  };
}
