import type { Database } from "../../platform/postgres/database.ts";
import { callsOf, quickQuery } from "../../platform/postgres/query.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";

/** The most merges that are followed, one after the other. */
const MOST_STEPS = 100;

/** The queries of resources that were merged into others. @param table its column `merged_into` names the kept one */
function mergedQueries(type: "company" | "contact", table: string) {
  /** The call that finds the ids of those that went into another, with the merges. */
  const mergesOf = callsOf<[ids: readonly string[]]>(
    `merges_of_${table}`,
    `select distinct on (m.from_id) m.from_id, m.id
  from merges m join ${table} c on c.tenant_id = $1 and c.id = m.from_id and c.merged_into = m.kept_id
  where m.tenant_id = $1 and m.type = '${type}' and m.from_id = any($2::bigint[]) and m.undone_at is null
  order by m.from_id, m.id desc`,
  );
  return {
    mergesOf,

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
    async mergeOf(tenant: TenantId, database: Database, id: string): Promise<string | null> {
      const [rows] = await database.quick.readAll(tenant, [mergesOf([id])]);
      return rows?.[0]?.[1] ?? null;
    },
  };
}

export const mergedCompanies = mergedQueries("company", "companies");
export const mergedContacts = mergedQueries("contact", "contacts");

/** The id of a company, or of the one that it was merged into: links and stored views name it on. */
export const keptCompany = keptAmong(mergedCompanies);
/** The same of a contact, which mails name on. */
export const keptContact = keptAmong(mergedContacts);

function keptAmong({ into }: MergedQueries) {
  return async (tenant: TenantId, database: Database, id: string): Promise<string> =>
    (await into(tenant, database, id)) ?? id;
}

export type MergedQueries = ReturnType<typeof mergedQueries>;

/**
 * SQL, an array: the ids of a company and of all companies that were ever merged with it, directly or not. An order may
 * name any of them, because a merge can be undone. `company` is an SQL expression, $1 its tenant. By an array, unlike
 * by "in", each company is looked up in an index.
 */
export function mergedWith(company: string): string {
  return `array(with recursive one (id) as (
    select ${company}
    union
    select other.id from one cross join lateral (
      select m.from_id as id from merges m where m.tenant_id = $1 and m.type = 'company' and m.kept_id = one.id
      union all
      select m.kept_id from merges m where m.tenant_id = $1 and m.type = 'company' and m.from_id = one.id
      offset 0
    ) other
  ) select one.id from one)`;
}

/** SQL, as JSON: the fiscal ids by which orders may name a company. A merge, or its undo, may have changed its own. */
export function taxIdsWithMerged(company: string, condition = "true"): string {
  return `(
    select to_json(array_agg(shown.tax_id)) from companies other
    cross join lateral (
      select other.tax_id union all
      select former ->> 'text' from jsonb_array_elements(other.former_ids) former
      where former ->> 'type' = 'former_tax_id'
    ) shown (tax_id)
    where ${condition} and shown.tax_id is not null
      and other.tenant_id = $1 and other.id = any(${mergedWith(company)}))`;
}
