import { quickQuery } from "../../platform/postgres/query.ts";

/** The most merges that are followed, one after the other. */
const MOST_STEPS = 100;

/** The queries of resources that were merged into others. @param table its column `merged_into` names the kept one */
export function mergedQueries(type: "company" | "contact", table: string) {
  return {
    /** The live resource that a merged one went into, through later merges too; null for any other. */
    into: quickQuery<[id: string]>(
      `${type}_merged_into`,
      `with recursive followed (id, into_id, is_live, step) as (
    select c.id, c.merged_into, c.deleted_at is null, 0 from ${table} c
    where c.tenant_id = $1 and c.id = $2 and c.merged_into is not null
    union all
    select c.id, c.merged_into, c.deleted_at is null, f.step + 1 from followed f
    join ${table} c on c.tenant_id = $1 and c.id = f.into_id
    where f.step < ${MOST_STEPS}
  ) select id from followed where is_live limit 1`,
    ).value(),

    /** The merge by which a resource went into another; null for any other. */
    mergeOf: quickQuery<[id: string]>(
      `merge_of_${type}`,
      `select m.id from merges m join ${table} c on c.tenant_id = $1 and c.id = m.from_id and c.merged_into = m.kept_id
  where m.tenant_id = $1 and m.type = '${type}' and m.from_id = $2 and m.undone_at is null
  order by m.id desc limit 1`,
    ).value(),
  };
}

export const mergedCompanies = mergedQueries("company", "companies");

export type MergedQueries = ReturnType<typeof mergedQueries>;
