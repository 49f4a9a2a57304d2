import type { Database, Run } from "../../platform/postgres/database.ts";
import { quickQuery } from "../../platform/postgres/query.ts";
import { column, oneValue, selectList, type Selected, type Statement } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import type { Compared } from "./alike-keys.ts";

/** Companies of a step. With three times as many, other requests waited noticeably. */
export const STEP = 100;
/** Others with the same key that a company is compared with. A key that more have says little. */
const MOST_OF_KEY = 20;
/** Transactions that take longer may commit changes that were passed: they are read once more. */
const OVERLAP = "interval '1 minute'";

const beginStatement: Statement = {
  name: "begin_alike",
  text: `insert into alike_progress (tenant_id, seen_at) values ($1, now() - ${OVERLAP})
  on conflict (tenant_id, id) do nothing returning id`,
};

const progress = selectList({ isWalked: column.flag("p.is_walked") });

const lockStatement: Statement = {
  name: "lock_alike",
  text: `select ${progress.sql} from alike_progress p where p.tenant_id = $1 and p.id = 0 for update`,
};

/** Locks the progress, so that one step runs at a time. Returns whether all companies were walked through once. */
export async function lockProgress(tenant: TenantId, run: Run): Promise<boolean> {
  await run(beginStatement);
  return progress.first(await run(lockStatement))?.isWalked ?? false;
}

const walkStatement: Statement = {
  name: "walk_alike",
  text: `with next as (
    select c.id from companies c
    where c.tenant_id = $1 and c.deleted_at is null
      and c.id > (select p.walked_id from alike_progress p where p.tenant_id = $1 and p.id = 0)
    order by c.id limit ${STEP}
  ), walked as (
    update alike_progress p set walked_id = coalesce((select max(id) from next), p.walked_id),
      is_walked = (select count(*) from next) < ${STEP}
    where p.tenant_id = $1 and p.id = 0
  ) select id from next`,
};

const changesStatement: Statement = {
  name: "follow_alike",
  text: `with next as (
    select h.at, h.resource_id from changes h
    where h.tenant_id = $1 and h.type = 'company' and h.type in ('company', 'connection')
      and (h.at, h.resource_id) > (
        select p.seen_at, p.seen_id from alike_progress p where p.tenant_id = $1 and p.id = 0)
    order by h.at, h.resource_id limit ${STEP}
  ), reached as (
    select now() as at, now() - ${OVERLAP} as overlap_at, count(*) < ${STEP} as is_end, max(at) as seen_at,
      (select resource_id from next order by at desc, resource_id desc limit 1) as seen_id from next
  ), seen as (
    update alike_progress p set
      seen_at = case when reached.is_end then greatest(p.seen_at, reached.overlap_at) else reached.seen_at end,
      seen_id = case when reached.is_end then 0 else reached.seen_id end,
      caught_up_at = case when reached.is_end then reached.at else p.caught_up_at end
    from reached where p.tenant_id = $1 and p.id = 0
  ) select distinct resource_id, (select count(*) from next) from next`,
};

/** The companies of the next step, and whether more follow. */
export async function nextCompanies(
  tenant: TenantId,
  run: Run,
  isWalked: boolean,
): Promise<{ ids: string[]; hasMore: boolean }> {
  const rows = await run(isWalked ? changesStatement : walkStatement);
  const ids = rows.map(([id]) => String(id));
  return { ids, hasMore: !isWalked || Number(rows[0]?.[1] ?? 0) === STEP };
}

const comparedColumns = (alias: string) => ({
  id: column.text(`${alias}.id`),
  name: column.text(`${alias}.name`),
  taxId: `${alias}.tax_id`,
  phone: `split_part(${alias}.phone, '=', 2)`,
  email: `${alias}.email`,
  city: `${alias}.city`,
});
const compared = selectList(comparedColumns("c"));

const readStatement: Statement = {
  name: "read_compared",
  text: `select ${compared.sql} from companies c
  where c.tenant_id = $1 and c.id = any($2::bigint[]) and c.deleted_at is null order by c.id`,
};

export async function readCompared(tenant: TenantId, run: Run, ids: readonly string[]): Promise<Compared[]> {
  return (await run(readStatement, [ids])).map(compared.read);
}

const forgetStatement: Statement = {
  name: "forget_company_keys",
  text: "delete from company_keys k where k.tenant_id = $1 and k.company_id = any($2::bigint[]) returning k.company_id",
};

const keepStatement: Statement = {
  name: "keep_company_keys",
  text: `insert into company_keys (tenant_id, company_id, key)
  select $1::bigint, k.company_id, k.key from unnest($2::bigint[], $3::text[]) as k (company_id, key)
  on conflict do nothing returning company_id`,
};

/** Replaces the keys of companies (`ids`): of a deleted one there are none. */
export async function writeKeys(
  tenant: TenantId,
  run: Run,
  ids: readonly string[],
  keys: readonly (readonly [companyId: string, key: string])[],
): Promise<void> {
  await run(forgetStatement, [ids]);
  await run(keepStatement, [keys.map(([id]) => id), keys.map(([, key]) => key)]);
}

const candidate = selectList({ of: column.text("k.company_id"), ...comparedColumns("c") });
export type AlikeCandidate = Selected<typeof candidate>;

/** A live company, which is looked up by its id (SQL): a join may read all companies. */
export function liveCompany(alias: string, id: string, columns: string): string {
  return `cross join lateral (
    select ${columns} from companies c where c.tenant_id = $1 and c.id = ${id} and c.deleted_at is null limit 1
  ) ${alias}`;
}

/** The companies with one of these keys, of which each is of a company (`k`). */
const havingKeys = (keys: string) => `select distinct ${candidate.sql}
  from ${keys}
  cross join lateral (
    select o.company_id from company_keys o
    where o.tenant_id = $1 and o.key = k.key and o.company_id <> k.company_id order by o.company_id limit ${MOST_OF_KEY}
  ) o
  ${liveCompany("c", "o.company_id", "c.id, c.name, c.tax_id, c.phone, c.email, c.city")}`;

const candidatesStatement: Statement = {
  name: "find_alike",
  text: `${havingKeys("company_keys k")}
  where k.tenant_id = $1 and k.company_id = any($2::bigint[])`,
};

const keysStatement: Statement = {
  name: "find_alike_by_keys",
  text: havingKeys("unnest($2::bigint[], $3::text[]) as k (company_id, key)"),
};

/** The stored companies that have a key of a new one: `of` is its number, 0 or less. */
export async function findByKeys(
  tenant: TenantId,
  database: Database,
  keys: readonly (readonly [of: string, key: string])[],
): Promise<AlikeCandidate[]> {
  if (keys.length === 0) return [];
  const rows = await database.quick.read(tenant, keysStatement, [keys.map(([of]) => of), keys.map(([, key]) => key)]);
  return rows.map(candidate.read);
}

/** The companies that have a key of one of these (`of`). */
export async function findCandidates(tenant: TenantId, run: Run, ids: readonly string[]): Promise<AlikeCandidate[]> {
  return (await run(candidatesStatement, [ids])).map(candidate.read);
}

const pairsStatement: Statement = {
  name: "write_alike_pairs",
  text: `insert into alike_pairs as p (tenant_id, one_id, other_id, evidence, place)
  select $1::bigint, e.one, e.other, string_to_array(e.evidence, ','), e.place
  from json_to_recordset($2) as e (one bigint, other bigint, evidence text, place smallint)
  on conflict (tenant_id, one_id, other_id) do update set evidence = excluded.evidence, place = excluded.place
  returning p.id`,
};

const removeStatement: Statement = {
  name: "remove_alike_pairs",
  text: `delete from alike_pairs p where p.tenant_id = $1 and p.id <> all($3::bigint[])
    and p.id in (
      select q.id from alike_pairs q where q.tenant_id = $1 and q.one_id = any($2::bigint[])
      union all
      select q.id from alike_pairs q where q.tenant_id = $1 and q.other_id = any($2::bigint[]))
  returning p.id`,
};

export type ComputedPair = { one: string; other: string; evidence: string; place: number };

/** Replaces all pairs of companies (`ids`). A pair that is still one keeps its id. */
export async function writePairs(
  tenant: TenantId,
  run: Run,
  ids: readonly string[],
  pairs: readonly ComputedPair[],
): Promise<void> {
  const kept = pairs.length === 0 ? [] : await run(pairsStatement, [JSON.stringify(pairs)]);
  await run(removeStatement, [ids, kept.map(([id]) => String(id))]);
}

/** Whether the pairs are as new as the companies: nothing changed since they were last computed. */
export const isCaughtUp = quickQuery(
  "is_alike_caught_up",
  `select p.is_walked and p.caught_up_at is not null and not exists (
    select from changes h where h.tenant_id = $1 and h.type = 'company' and h.type in ('company', 'connection')
      and h.at > p.caught_up_at - interval '2 seconds')
  from alike_progress p where p.tenant_id = $1 and p.id = 0`,
).of((rows) => oneValue(rows) === "t");
