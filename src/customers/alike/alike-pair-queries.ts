import { noteChange } from "../../kit/changes/note-change-queries.ts";
import type { Database, Run } from "../../platform/postgres/database.ts";
import { quickQuery, stepQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Column, type Row } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { liveCompany } from "./alike-candidate-queries.ts";
import { PLACE, type AlikeEvidence } from "./compare-companies.ts";

export type AlikeCompany = { id: number; name: string; tax_id: string | null; city: string | null };

const memberOf = (alias: string): Column<AlikeCompany> => ({
  sql: `json_build_object('id', ${alias}.id, 'name', ${alias}.name, 'tax_id', ${alias}.tax_id, 'city', ${alias}.city)`,
  read: (json) => JSON.parse(String(json)) as AlikeCompany,
});

const pair = selectList({
  id: column.text("p.id"),
  isSure: column.flag(`p.place = ${PLACE.sure}`),
  evidence: column.list<AlikeEvidence>("array_to_json(p.evidence)"),
  one: memberOf("a"),
  other: memberOf("b"),
});

export type AlikePair = ReturnType<typeof pairOf>;

const live = (alias: string, id: string) => liveCompany(alias, id, "c.id, c.name, c.tax_id, c.city, c.assigned_to");
const both = (pairs: string) => `${live("a", `${pairs}.one_id`)} ${live("b", `${pairs}.other_id`)}`;
const open = `not exists (
    select from not_alike n where n.tenant_id = $1 and n.one_id = p.one_id and n.other_id = p.other_id)`;

function pairOf(row: Row) {
  const { one, other, ...rest } = pair.read(row);
  return { ...rest, companies: [one, other] as const };
}

/** Pairs of live companies, the sure ones first, after a position. @param place null for both */
export const listAlike = quickQuery<[afterPlace: number, afterId: string, place: number | null, most: number]>(
  "list_alike",
  `select ${pair.sql} from alike_pairs p ${both("p")}
  where p.tenant_id = $1 and (p.place, p.id) > ($2::smallint, $3::bigint) and ($4::smallint is null or p.place = $4) and ${open}
  order by p.place, p.id limit $5`,
).all(pairOf);

/** Pairs that are looked through for a company, on either side. */
const OF_COMPANY = 50;
const pairsWith = (side: string) =>
  `(select * from alike_pairs q where q.tenant_id = $1 and q.${side} = $2::bigint limit ${OF_COMPANY})`;

/** The companies that look the same as one, the sure ones first. */
export const listAlikeOf = quickQuery<[id: string, most: number]>(
  "list_alike_of",
  `select ${pair.sql} from (${pairsWith("one_id")} union all ${pairsWith("other_id")}) p ${both("p")}
  where ${open} order by p.place, p.id limit $3`,
).all(pairOf);

/** Pairs that are looked through for a user. */
const LOOKED_THROUGH = 1_000;

/** The number of pairs with a company of a user. */
export const countAlikeOf = quickQuery<[userId: string]>(
  "count_alike_of",
  `select count(*) from (
    select q.one_id, q.other_id from alike_pairs q where q.tenant_id = $1 order by q.place, q.id limit ${LOOKED_THROUGH}
  ) p ${both("p")}
  where $2::bigint in (a.assigned_to, b.assigned_to) and ${open}`,
).number();

const said = selectList({ one: memberOf("a"), other: memberOf("b") });

/** Pairs that a person said are two companies, the latest first. */
export const listNotAlike = quickQuery<[most: number]>(
  "list_not_alike",
  `select ${said.sql} from not_alike n ${both("n")} where n.tenant_id = $1 order by n.said_at desc, n.one_id limit $2`,
).all((row) => {
  const { one, other } = said.read(row);
  return [one, other] as const;
});

const lockNames = stepQuery<[ids: string[]]>(
  "lock_not_alike",
  `select c.id, c.name from companies c
  where c.tenant_id = $1 and c.id = any($2::bigint[]) and c.deleted_at is null order by c.id for share of c`,
).of((rows) => new Map(rows.map(([id, name]) => [id, name])));

const insertNotAlike = stepQuery<[id: string, other: string, by: string]>(
  "say_not_alike",
  `insert into not_alike (tenant_id, one_id, other_id, said_by) values ($1, least($2::bigint, $3::bigint), greatest($2::bigint, $3::bigint), $4)
  on conflict (tenant_id, one_id, other_id) do nothing returning one_id`,
).exists();

const deleteNotAlike = stepQuery<[id: string, other: string]>(
  "take_back_not_alike",
  `delete from not_alike n
  where n.tenant_id = $1 and n.one_id = least($2::bigint, $3::bigint) and n.other_id = greatest($2::bigint, $3::bigint)
  returning n.one_id`,
).exists();

type Saying = (
  tenant: TenantId,
  database: Database,
  two: { id: string; other: string },
  by: string,
) => Promise<string | null>;

/**
 * Stores that two companies are not the same, in the history of the first. Returns the id of the one that is missing,
 * or null.
 */
export const sayNotAlike: Saying = async (tenant, database, two, by) =>
  await sayOf(tenant, database, two, by, async (run, other) => {
    const isNew = await insertNotAlike(run, two.id, two.other, by);
    return isNew ? { from: null, to: other } : null;
  });

/** Takes back that two companies are not the same, as sayNotAlike stores it. */
export const takeBackNotAlike: Saying = async (tenant, database, two, by) =>
  await sayOf(tenant, database, two, by, async (run, other) => {
    const isGone = await deleteNotAlike(run, two.id, two.other);
    return isGone ? { from: other, to: null } : null;
  });

type Told = { id: number; name: string | null | undefined };

/** @param write returns the change of the first company for its history; null: there is none */
async function sayOf(
  tenant: TenantId,
  database: Database,
  { id, other }: { id: string; other: string },
  by: string,
  write: (run: Run, other: Told) => Promise<{ from: Told | null; to: Told | null } | null>,
): Promise<string | null> {
  return await database.transaction(tenant, async (run) => {
    const names = await lockNames(run, [id, other]);
    const missing = [id, other].find((each) => !names.has(each));
    if (missing !== undefined || id === other) return missing ?? other;
    const change = await write(run, { id: Number(other), name: names.get(other) });
    if (change === null) return null;
    const changed = { not_alike: change };
    await noteChange(run, { type: "company", id, companyId: id, action: "updated", changed, by });
    return null;
  });
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
