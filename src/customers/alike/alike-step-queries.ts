import type { Run } from "../../platform/postgres/database.ts";
import { quickQuery } from "../../platform/postgres/query.ts";
import {
  column,
  oneValue,
  selectList,
  type Call,
  type Selected,
  type Statement,
} from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import type { AlikeKeys, Compared } from "./compare-companies.ts";

/** Companies of a step. With twice as many, other requests waited noticeably. */
export const STEP = 250;
/** Others with the same key that a company is compared with. A key that more have says little. */
export const MOST_OF_KEY = 20;
/** Transactions that take longer may commit changes that were passed: they are read once more. */
const OVERLAP = "interval '1 minute'";

const beginStatement: Statement = {
  name: "begin_alike",
  text: `insert into alike_progress (tenant_id, seen_at) values ($1, now() - ${OVERLAP})
  on conflict (tenant_id, id) do nothing returning id`,
};

const progress = selectList({
  /** Whether all companies were walked through once. */
  isWalked: column.flag("p.is_walked"),
  now: column.text("now()"),
  overlapAt: column.text(`now() - ${OVERLAP}`),
});
export type AlikeProgress = Selected<typeof progress>;

const lockStatement: Statement = {
  name: "lock_alike",
  text: `select ${progress.sql} from alike_progress p where p.tenant_id = $1 and p.id = 0 for update`,
};

/** Locks the progress, so that one step runs at a time. Null where it began just now. */
export async function lockProgress(tenant: TenantId, run: Run): Promise<AlikeProgress | null> {
  const locked = progress.first(await run(lockStatement));
  if (locked === null) await run(beginStatement);
  return locked;
}

const walkStatement: Statement = {
  name: "walk_alike",
  text: `select c.id from companies c
  where c.tenant_id = $1 and c.deleted_at is null
    and c.id > (select p.walked_id from alike_progress p where p.tenant_id = $1 and p.id = 0)
  order by c.id limit ${STEP}`,
};

const walkedStatement: Statement = {
  name: "walked_alike",
  text: `update alike_progress p set walked_id = coalesce($2::bigint, p.walked_id), is_walked = $3
  where p.tenant_id = $1 and p.id = 0 returning p.id`,
};

const changesStatement: Statement = {
  name: "follow_alike",
  // Any other condition on the type would be served by an index that has no order in time.
  text: `select h.resource_id, h.at from changes h
  where h.tenant_id = $1 and h.type in ('company', 'connection')
    and (h.at, h.resource_id) > (
      select p.seen_at, p.seen_id from alike_progress p where p.tenant_id = $1 and p.id = 0)
  order by h.at, h.resource_id limit ${STEP}`,
};

const followedStatement: Statement = {
  name: "followed_alike",
  text: `update alike_progress p set seen_at = greatest(p.seen_at, $2::timestamptz), seen_id = $3,
    caught_up_at = coalesce($4::timestamptz, p.caught_up_at)
  where p.tenant_id = $1 and p.id = 0 returning p.id`,
};

/** The companies of the next step, whether more follow, and the call that records that the step was taken. */
export async function nextCompanies(
  tenant: TenantId,
  run: Run,
  { isWalked, now, overlapAt }: AlikeProgress,
): Promise<{ ids: string[]; hasMore: boolean; taken: Call }> {
  const rows = await run(isWalked ? changesStatement : walkStatement);
  const ids = [...new Set(rows.map(([id]) => String(id)))];
  const [id = null, at = null] = rows.at(-1) ?? [];
  const isEnd = rows.length < STEP;
  const reached = isEnd ? [overlapAt, 0, now] : [at, id, null];
  const taken = isWalked
    ? { statement: followedStatement, parameters: reached }
    : { statement: walkedStatement, parameters: [id, isEnd] };
  return { ids, hasMore: !isWalked || !isEnd, taken };
}

/** The columns that a company is compared by. */
const comparedColumns = (alias: string, phone: string) => ({
  id: column.text(`${alias}.id`),
  name: column.text(`${alias}.name`),
  taxId: `${alias}.tax_id`,
  phone,
  email: `${alias}.email`,
  city: `${alias}.city`,
});

const PHONE = "split_part(c.phone, '=', 2)";
const changed = selectList({
  changedId: column.text("sent.id"),
  digest: "c.digest",
  ...comparedColumns("c", PHONE),
});

const changedStatement: Statement = {
  name: "changed_for_alike",
  text: `select ${changed.sql} from unnest($2::bigint[]) as sent (id)
  left join lateral (
    select c.*, hash_record_extended(row(c.name, c.tax_id, ${PHONE}, c.email, c.city), 0) as digest
    from companies c where c.tenant_id = $1 and c.id = sent.id and c.deleted_at is null limit 1
  ) c on true
  left join lateral (
    select k.compared from company_keys k where k.tenant_id = $1 and k.company_id = sent.id limit 1
  ) k on true
  where k.compared is distinct from c.digest`,
};

/** A company as it is compared, and a digest of that. */
export type ChangedCompany = Compared & { digest: string };

/** Of these companies, those that changed in what they are compared by, and the ids of those that are gone. */
export async function readChanged(
  tenant: TenantId,
  run: Run,
  ids: readonly string[],
): Promise<{ companies: ChangedCompany[]; gone: string[] }> {
  const rows = ids.length === 0 ? [] : (await run(changedStatement, [ids])).map(changed.read);
  return {
    companies: rows.flatMap(({ digest, changedId: id, ...company }) =>
      digest === null ? [] : { ...company, id, digest },
    ),
    gone: rows.filter(({ digest }) => digest === null).map(({ changedId }) => changedId),
  };
}

const forgetStatement: Statement = {
  name: "forget_company_keys",
  text: "delete from company_keys k where k.tenant_id = $1 and k.company_id = any($2::bigint[]) returning k.company_id",
};

const keepStatement: Statement = {
  name: "keep_company_keys",
  text: `insert into company_keys (tenant_id, company_id, name_key, domain, compared)
  select $1::bigint, k.* from unnest($2::bigint[], $3::text[], $4::text[], $5::bigint[]) as k
  on conflict (tenant_id, company_id) do update
  set name_key = excluded.name_key, domain = excluded.domain, compared = excluded.compared
  returning company_id`,
};

/** Keys by which a company (`of`) is found, and finds others. */
export type KeysOfCompany = AlikeKeys & { of: string };

/** Stores the keys of companies, each with the digest of its company, and forgets those of companies that are gone. */
export async function writeKeys(
  tenant: TenantId,
  run: Run,
  keys: readonly (KeysOfCompany & { digest: string })[],
  gone: readonly string[],
): Promise<void> {
  if (gone.length > 0) await run(forgetStatement, [gone]);
  if (keys.length === 0) return;
  const of = <K extends keyof (typeof keys)[number]>(name: K) => keys.map((each) => each[name]);
  await run(keepStatement, [of("of"), of("nameKey"), of("domain"), of("digest")]);
}

/** A live company, which is looked up by its id (SQL): a join may read all companies. */
export function liveCompany(alias: string, id: string, columns: string): string {
  return `cross join lateral (
    select ${columns} from companies c where c.tenant_id = $1 and c.id = ${id} and c.deleted_at is null limit 1
  ) ${alias}`;
}

const candidate = selectList({ of: column.text("c.of_id"), ...comparedColumns("c", "c.phone") });
export type AlikeCandidate = Selected<typeof candidate>;

const candidatesStatement: Statement = {
  name: "find_alike",
  text: `select distinct ${candidate.sql}
  from companies_with_keys($2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], ${MOST_OF_KEY}) c
  where $1::bigint is not null`,
};

/** The stored companies that have a key of another one (`of`). That of a new one is 0 or less. */
export async function findByKeys(
  tenant: TenantId,
  run: Run,
  keys: readonly KeysOfCompany[],
): Promise<AlikeCandidate[]> {
  if (keys.length === 0) return [];
  const of = (name: keyof KeysOfCompany) => keys.map((each) => each[name]);
  const rows = await run(candidatesStatement, [of("of"), of("number"), of("phone"), of("nameKey"), of("domain")]);
  return rows.map(candidate.read);
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
    and p.id = any(array(
      select q.id from alike_pairs q where q.tenant_id = $1 and q.one_id = any($2::bigint[])
      union all
      select q.id from alike_pairs q where q.tenant_id = $1 and q.other_id = any($2::bigint[])))
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

/** Whether the tenant has companies that others may look like. */
export const hasCompanies = quickQuery(
  "has_companies",
  "select exists (select from companies c where c.tenant_id = $1 and c.deleted_at is null)",
).of((rows) => oneValue(rows) === "t");

/** Whether the pairs are as new as the companies: nothing changed since they were last computed. */
export const isCaughtUp = quickQuery(
  "is_alike_caught_up",
  `select p.is_walked and p.caught_up_at is not null and not exists (
    select from changes h where h.tenant_id = $1 and h.type in ('company', 'connection')
      and h.at > p.caught_up_at - interval '2 seconds')
  from alike_progress p where p.tenant_id = $1 and p.id = 0`,
).of((rows) => oneValue(rows) === "t");
