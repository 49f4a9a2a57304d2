import type { Run } from "../../platform/postgres/database.ts";
import { callsOf, quickQuery, stepQuery } from "../../platform/postgres/query.ts";
import { column, oneValue, selectList, type Call, type Selected } from "../../platform/postgres/statement.ts";
import type { AlikeKeys, Compared } from "./compare-companies.ts";

/** Companies of a step. With twice as many, other requests waited noticeably. */
export const STEP = 250;
/** Others with the same key that a company is compared with. A key that more have says little. */
export const MOST_OF_KEY = 20;
/** Transactions that take longer may commit changes that were passed: they are read once more. */
const OVERLAP = "interval '1 minute'";

const begin = stepQuery(
  "begin_alike",
  `insert into alike_progress (tenant_id, seen_at) values ($1, now() - ${OVERLAP})
  on conflict (tenant_id, id) do nothing returning id`,
).nothing();

const progress = selectList({
  /** Whether all companies were walked through once. */
  isWalked: column.flag("p.is_walked"),
  now: column.text("now()"),
  overlapAt: column.text(`now() - ${OVERLAP}`),
});
export type AlikeProgress = Selected<typeof progress>;

const lock = stepQuery(
  "lock_alike",
  `select ${progress.sql} from alike_progress p where p.tenant_id = $1 and p.id = 0 for update`,
).first(progress.read);

/** Locks the progress, so that one step runs at a time. Null where it began just now. */
export async function lockProgress(run: Run): Promise<AlikeProgress | null> {
  const locked = await lock(run);
  if (locked === null) await begin(run);
  return locked;
}

const nextToWalk = stepQuery(
  "walk_alike",
  `select c.id from companies c
  where c.tenant_id = $1 and c.deleted_at is null
    and c.id > (select p.walked_id from alike_progress p where p.tenant_id = $1 and p.id = 0)
  order by c.id limit ${STEP}`,
).rows();

const noteWalked = callsOf<[id: string | null, isEnd: boolean]>(
  "walked_alike",
  `update alike_progress p set walked_id = coalesce($2::bigint, p.walked_id), is_walked = $3
  where p.tenant_id = $1 and p.id = 0 returning p.id`,
);

const nextChanged = stepQuery(
  "follow_alike",
  // Any other condition on the type would be served by an index that has no order in time.
  `select h.resource_id, h.at from changes h
  where h.tenant_id = $1 and h.type in ('company', 'connection')
    and (h.at, h.resource_id) > (
      select p.seen_at, p.seen_id from alike_progress p where p.tenant_id = $1 and p.id = 0)
  order by h.at, h.resource_id limit ${STEP}`,
).rows();

const noteFollowed = callsOf<[at: string | null, id: string | number | null, caughtUpAt: string | null]>(
  "followed_alike",
  `update alike_progress p set seen_at = greatest(p.seen_at, $2::timestamptz), seen_id = $3,
    caught_up_at = coalesce($4::timestamptz, p.caught_up_at)
  where p.tenant_id = $1 and p.id = 0 returning p.id`,
);

/** The companies of the next step, whether more follow, and the call that records that the step was taken. */
export async function nextCompanies(
  run: Run,
  { isWalked, now, overlapAt }: AlikeProgress,
): Promise<{ ids: string[]; hasMore: boolean; taken: Call }> {
  const rows = await (isWalked ? nextChanged : nextToWalk)(run);
  const ids = [...new Set(rows.map(([id]) => String(id)))];
  const [id = null, at = null] = rows.at(-1) ?? [];
  const isEnd = rows.length < STEP;
  if (!isWalked) return { ids, hasMore: true, taken: noteWalked(id, isEnd) };
  return { ids, hasMore: !isEnd, taken: isEnd ? noteFollowed(overlapAt, 0, now) : noteFollowed(at, id, null) };
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

const findChanged = stepQuery<[ids: readonly string[]]>(
  "changed_for_alike",
  `select ${changed.sql} from unnest($2::bigint[]) as sent (id)
  left join lateral (
    select c.*, hash_record_extended(row(c.name, c.tax_id, ${PHONE}, c.email, c.city), 0) as digest
    from companies c where c.tenant_id = $1 and c.id = sent.id and c.deleted_at is null limit 1
  ) c on true
  left join lateral (
    select k.compared from company_keys k where k.tenant_id = $1 and k.company_id = sent.id limit 1
  ) k on true
  where k.compared is distinct from c.digest`,
).all(changed.read);

/** A company as it is compared, and a digest of that. */
export type ChangedCompany = Compared & { digest: string };

/** Of these companies, those that changed in what they are compared by, and the ids of those that are gone. */
export async function readChanged(
  run: Run,
  ids: readonly string[],
): Promise<{ companies: ChangedCompany[]; gone: string[] }> {
  const rows = ids.length === 0 ? [] : await findChanged(run, ids);
  return {
    companies: rows.flatMap(({ digest, changedId: id, ...company }) =>
      digest === null ? [] : { ...company, id, digest },
    ),
    gone: rows.filter(({ digest }) => digest === null).map(({ changedId }) => changedId),
  };
}

const forgetKeys = stepQuery<[ids: readonly string[]]>(
  "forget_company_keys",
  "delete from company_keys k where k.tenant_id = $1 and k.company_id = any($2::bigint[]) returning k.company_id",
).nothing();

const storeKeys = stepQuery<{ ids: string[]; digests: string[] } & ColumnsOfKeys>(
  "keep_company_keys",
  `insert into company_keys (tenant_id, company_id, name_key, domain, compared)
  select $1::bigint, k.* from unnest(:ids::bigint[], :nameKeys::text[], :domains::text[], :digests::bigint[]) as k
  on conflict (tenant_id, company_id) do update
  set name_key = excluded.name_key, domain = excluded.domain, compared = excluded.compared
  returning company_id`,
).nothing();

type ColumnsOfKeys = { nameKeys: (string | null)[]; domains: (string | null)[] };

/** Keys by which a company (`of`) is found, and finds others. */
export type KeysOfCompany = AlikeKeys & { of: string };

/** Stores the keys of companies, each with the digest of its company, and forgets those of companies that are gone. */
export async function writeKeys(
  run: Run,
  keys: readonly (KeysOfCompany & { digest: string })[],
  gone: readonly string[],
): Promise<void> {
  if (gone.length > 0) await forgetKeys(run, gone);
  if (keys.length === 0) return;
  const ids = keys.map(({ of }) => of);
  await storeKeys(run, { ids, ...columnsOfKeys(keys), digests: keys.map(({ digest }) => digest) });
}

function columnsOfKeys(keys: readonly AlikeKeys[]): ColumnsOfKeys {
  return { nameKeys: keys.map(({ nameKey }) => nameKey), domains: keys.map(({ domain }) => domain) };
}

/** A live company, which is looked up by its id (SQL): a join may read all companies. */
export function liveCompany(alias: string, id: string, columns: string): string {
  return `cross join lateral (
    select ${columns} from companies c where c.tenant_id = $1 and c.id = ${id} and c.deleted_at is null limit 1
  ) ${alias}`;
}

const candidate = selectList({ of: column.text("c.of_id"), ...comparedColumns("c", "c.phone") });
export type AlikeCandidate = Selected<typeof candidate>;

const findCandidates = stepQuery<
  { ids: string[]; numbers: (string | null)[]; phones: (string | null)[] } & ColumnsOfKeys
>(
  "find_alike",
  `select distinct ${candidate.sql}
  from companies_with_keys(:ids::bigint[], :numbers::text[], :phones::text[], :nameKeys::text[], :domains::text[], ${MOST_OF_KEY}) c
  where $1::bigint is not null`,
).all(candidate.read);

/** The stored companies that have a key of another one (`of`). That of a new one is 0 or less. */
export async function findByKeys(run: Run, keys: readonly KeysOfCompany[]): Promise<AlikeCandidate[]> {
  if (keys.length === 0) return [];
  const [ids, numbers, phones] = [
    keys.map(({ of }) => of),
    keys.map(({ number }) => number),
    keys.map(({ phone }) => phone),
  ];
  return await findCandidates(run, { ids, numbers, phones, ...columnsOfKeys(keys) });
}

const storePairs = stepQuery<[pairs: string]>(
  "write_alike_pairs",
  `insert into alike_pairs as p (tenant_id, one_id, other_id, evidence, place)
  select $1::bigint, e.one, e.other, string_to_array(e.evidence, ','), e.place
  from json_to_recordset($2) as e (one bigint, other bigint, evidence text, place smallint)
  on conflict (tenant_id, one_id, other_id) do update set evidence = excluded.evidence, place = excluded.place
  returning p.id`,
).all(([id]) => String(id));

const removePairs = stepQuery<[ofIds: readonly string[], except: readonly string[]]>(
  "remove_alike_pairs",
  `delete from alike_pairs p where p.tenant_id = $1 and p.id <> all($3::bigint[])
    and p.id = any(array(
      select q.id from alike_pairs q where q.tenant_id = $1 and q.one_id = any($2::bigint[])
      union all
      select q.id from alike_pairs q where q.tenant_id = $1 and q.other_id = any($2::bigint[])))
  returning p.id`,
).nothing();

export type ComputedPair = { one: string; other: string; evidence: string; place: number };

/** Replaces all pairs of companies (`ids`). A pair that is still one keeps its id. */
export async function writePairs(run: Run, ids: readonly string[], pairs: readonly ComputedPair[]): Promise<void> {
  const kept = pairs.length === 0 ? [] : await storePairs(run, JSON.stringify(pairs));
  await removePairs(run, ids, kept);
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
