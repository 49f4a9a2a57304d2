/**
 * SQL for the ids of a company and of all companies that were ever merged with it, directly or not. An order may name
 * any of them, because a merge can be undone. `company` is an SQL expression, $1 its tenant.
 */
export function mergedWith(company: string): string {
  return `with recursive one (id) as (
    select ${company}
    union
    select other.id from one cross join lateral (
      select m.from_id as id from merges m where m.tenant_id = $1 and m.type = 'company' and m.kept_id = one.id
      union all
      select m.kept_id from merges m where m.tenant_id = $1 and m.type = 'company' and m.from_id = one.id
    ) other
  ) select one.id from one`;
}
