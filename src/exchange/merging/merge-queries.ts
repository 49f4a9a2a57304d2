import { companyFields } from "../../customers/companies/company.ts";
import { hasWarehouse, subdomainOf } from "../../customers/companies/warehouse-of-company.ts";
import { recordKinds } from "../../customers/records/record.ts";
import { EXTERNAL } from "../../platform/fields/external-ids.ts";
import type { Expected } from "../../platform/fields/row-state.ts";
import { columnType, isExpected, namesOf } from "../../platform/fields/sql.ts";
import type { Run } from "../../platform/postgres/database.ts";
import { quickQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Selected, type Statement } from "../../platform/postgres/statement.ts";

/** The days in which a merge can be undone. */
export const UNDO_DAYS = 30;

/** The tables whose rows move with their company. Payments follow their invoices (invoices_after_update). */
export const MOVED_TABLES = ["contacts", "addresses", "invoices", "activities", ...recordKinds] as const;
export type MovedTable = (typeof MOVED_TABLES)[number];

/** Beside its fields, what a kept company takes from the other. */
const LAST_CONTACTED = "last_contacted_at";
export const VALUE_COLUMNS: readonly string[] = [...namesOf(companyFields), LAST_CONTACTED];

const whole = selectList({
  id: column.text("c.id"),
  version: column.text("c.updated_at"),
  isLive: column.flag("c.deleted_at is null"),
  mergedInto: "c.merged_into",
  external: `c.${EXTERNAL}`,
  formerIds: column.list<FormerId>("c.former_ids"),
  /** The warehouse that its orders go to; null without one. */
  warehouse: `case when ${hasWarehouse("c")} then lower(${subdomainOf("c")}) end`,
});

/** A fiscal id or an external id by which a company is found, although it shows another one. */
export type FormerId = { type: "company" | "former_tax_id"; source: string; id: string; text: string };

/** A company as a merge reads it; `values` as PostgreSQL's texts. */
export type WholeCompany = Selected<typeof whole> & { values: Record<string, string | null> };

const lockStatement: Statement = {
  name: "lock_companies_to_merge",
  text: `select ${whole.sql}, ${VALUE_COLUMNS.map((name) => `c.${name}`).join(", ")}
  from companies c where c.tenant_id = $1 and c.id = any($2::bigint[]) order by c.id for update of c`,
};

/** Locks both companies, in the order of their ids, against every other write of them and of what belongs to them. */
export async function lockCompanies(run: Run, ids: readonly string[]): Promise<Map<string, WholeCompany>> {
  const rows = await run(lockStatement, [ids]);
  return new Map(
    rows.map((row) => {
      const stored = row.slice(-VALUE_COLUMNS.length);
      const values = Object.fromEntries(VALUE_COLUMNS.map((name, index) => [name, stored[index] ?? null]));
      const company = { ...whole.read(row), values };
      return [company.id, company];
    }),
  );
}

const versionStatement: Statement = {
  name: "is_company_of_version",
  text: `select 1 from companies c where c.tenant_id = $1 and c.id = $2
    and ${isExpected("c.updated_at", "$3::timestamptz[]")}`,
};

/** Whether a locked company has one of the expected versions. */
export async function isOfVersion(run: Run, { id }: WholeCompany, expected: Expected): Promise<boolean> {
  return expected === null || (await run(versionStatement, [id, expected])).length > 0;
}

const taxNumbersStatement: Statement = {
  name: "tax_numbers_of_texts",
  text: "select tax_number(text) from unnest($2::text[]) with ordinality as t (text, place) where $1 > 0 order by place",
};

/** Fiscal ids without what people write around their digits. */
export async function taxNumbers(run: Run, texts: readonly string[]): Promise<string[]> {
  if (texts.length === 0) return [];
  return (await run(taxNumbersStatement, [texts])).map(([number]) => String(number));
}

const underWayStatement: Statement = {
  name: "count_orders_under_way_elsewhere",
  text: `select count(*) from invoices i
  where i.tenant_id = $1 and i.company_id = $2 and ($5::bigint[] is null or i.id = any($5::bigint[])) and (
    (i.wms_poll_at is not null and lower(i.wms_instance) is distinct from $3)
    or (i.wms_state in ('queued', 'sending', 'unknown') and lower(coalesce(i.wms_open_instance, $4)) is distinct from $3))`,
};

/**
 * The orders of a company, or of these invoices, that its warehouse has or gets, and that the other warehouse could not
 * follow.
 */
export async function countUnderWay(
  run: Run,
  company: string,
  { from, to }: { from: string | null; to: string | null },
  invoices: readonly string[] | null = null,
): Promise<number> {
  return from === to ? 0 : Number((await run(underWayStatement, [company, to, from, invoices]))[0]?.[0]);
}

const moved = selectList({ id: column.text("t.id") });

function moving(table: MovedTable): Statement {
  // An activity has neither a version nor a history.
  const version = table === "activities" ? "" : ", updated_at = moment_after(t.updated_at), changed_by = $5";
  const author = table === "activities" ? " and $5::text is not null" : "";
  return {
    name: `move_${table}_to_company`,
    text: `update ${table} t set company_id = $3${version}
    where t.tenant_id = $1 and t.company_id = $2 and ($4::bigint[] is null or t.id = any($4::bigint[]))${author}
    returning ${moved.sql}`,
  };
}

const movingStatements = new Map(MOVED_TABLES.map((table) => [table, moving(table)]));

type Move = { from: string; to: string; by: string };

/** Moves the rows of a company to another: all, or those with these ids. Returns the ids of the moved ones. */
export async function moveRows(
  run: Run,
  table: MovedTable,
  { from, to, by }: Move,
  ids: readonly string[] | null = null,
): Promise<string[]> {
  const statement = movingStatements.get(table);
  if (statement === undefined || ids?.length === 0) return [];
  return (await run(statement, [from, to, ids, by])).map((row) => moved.read(row).id);
}

const paymentsStatement: Statement = {
  name: "count_payments_of_company",
  text: "select count(*) from payments p where p.tenant_id = $1 and p.company_id = $2 and p.deleted_at is null",
};

export async function countPayments(run: Run, company: string): Promise<number> {
  return Number((await run(paymentsStatement, [company]))[0]?.[0]);
}

const followStatement: Statement = {
  name: "follow_moved_orders",
  text: `select enqueue_wms_jobs($1, $2::bigint, null, (
    select min(i.wms_poll_at) from invoices i
    where i.tenant_id = $1 and i.company_id = $2::bigint and i.wms_poll_at is not null))`,
};

/** Has the orders of a company followed: the job that follows them is the company's. */
export async function followOrders(run: Run, company: string): Promise<void> {
  await run(followStatement, [company]);
}

const mergeAwayStatement: Statement = {
  name: "merge_company_away",
  text: `update companies c set merged_into = $3, deleted_at = moment_after(c.updated_at),
    updated_at = moment_after(c.updated_at), changed_by = $4
  where c.tenant_id = $1 and c.id = $2 returning c.id`,
};

export async function mergeAway(run: Run, { from, to, by }: Move): Promise<void> {
  await run(mergeAwayStatement, [from, to, by]);
}

const bringBackStatement: Statement = {
  name: "bring_merged_company_back",
  text: `update companies c set merged_into = null, deleted_at = null, updated_at = moment_after(c.updated_at),
    changed_by = $3
  where c.tenant_id = $1 and c.id = $2 returning c.id`,
};

export async function bringBack(run: Run, id: string, by: string): Promise<void> {
  await run(bringBackStatement, [id, by]);
}

/** Every value column is written, so that there is one statement. Only changed ones are in the history. */
const typed = [
  ...companyFields.map(({ name, kind }) => `${name} ${columnType(kind)}`),
  `${LAST_CONTACTED} timestamptz`,
].join(", ");

const writeStatement: Statement = {
  name: "write_merged_company",
  text: `update companies c set ${VALUE_COLUMNS.map((name) => `${name} = r.${name}`).join(", ")},
    ${EXTERNAL} = $4::jsonb, former_ids = $5::jsonb, updated_at = moment_after(c.updated_at), changed_by = $6
  from json_to_record($3) as r (${typed})
  where c.tenant_id = $1 and c.id = $2 returning c.id`,
};

const formerStatement: Statement = {
  name: "write_former_ids",
  text: "select write_former_ids($1, $2::bigint, $3::jsonb, $4::jsonb)",
};

/** Writes a company's values and ids. `formerBefore`: its former ids until now. */
export async function writeCompany(
  run: Run,
  { id, values, external, formerIds }: Pick<WholeCompany, "id" | "values" | "external" | "formerIds">,
  formerBefore: readonly FormerId[],
  by: string,
): Promise<void> {
  const [before, after] = [formerBefore, formerIds].map((ids) => (ids.length === 0 ? null : JSON.stringify(ids)));
  // Those that the company shows again are no former ids any more, and the trigger of the update claims them.
  await run(formerStatement, [id, before ?? null, null]);
  await run(writeStatement, [id, JSON.stringify(values), external, after ?? null, by]);
  await run(formerStatement, [id, null, after ?? null]);
}

const historyStatement: Statement = {
  name: "history_of_merge",
  text: `insert into changes (tenant_id, at, type, resource_id, company_id, action, changed, changed_by)
  values ($1, clock_timestamp(), 'company', $2, $2, 'updated', $3, $4) returning id`,
};

/** The kept company's history names the other one, and the merge. */
export async function noteInHistory(
  run: Run,
  { kept, other, mergeId, by }: { kept: WholeCompany; other: WholeCompany; mergeId: string; by: string },
  isUndo = false,
): Promise<void> {
  const told = { id: Number(other.id), name: other.values.name, merge: Number(mergeId) };
  const merged = isUndo ? { from: told, to: null } : { from: null, to: told };
  await run(historyStatement, [kept.id, JSON.stringify({ merged }), by]);
}

const beginStatement: Statement = {
  name: "begin_merge",
  text: `insert into merges (tenant_id, type, kept_id, from_id, merged_by) values ($1, 'company', $2, $3, $4) returning id`,
};

/** The triggers of what moves see the merge, so it is stored first. Returns its id. */
export async function beginMerge(run: Run, { from, to, by }: Move): Promise<string> {
  return String((await run(beginStatement, [to, from, by]))[0]?.[0]);
}

const noteStatement: Statement = {
  name: "note_merge",
  text: "update merges m set moved = $3::jsonb, before = $4 where m.tenant_id = $1 and m.id = $2 returning m.id",
};

const forgetStatement: Statement = {
  name: "forget_merges",
  text: `update merges m set before = null
  where m.tenant_id = $1 and m.before is not null and m.merged_at < now() - interval '${UNDO_DAYS} days' returning m.id`,
};

/** Stores what an undo needs, and removes what older merges needed. */
export async function noteMerge(
  run: Run,
  id: string,
  { moved: rows, before }: { moved: Readonly<Record<string, readonly string[]>>; before: string },
): Promise<void> {
  await run(noteStatement, [id, JSON.stringify(rows), before]);
  await run(forgetStatement);
}

const merge = selectList({
  id: column.text("m.id"),
  keptId: column.text("m.kept_id"),
  fromId: column.text("m.from_id"),
  before: "m.before",
  isUndone: column.flag("m.undone_at is not null"),
  isOver: column.flag(`m.merged_at < now() - interval '${UNDO_DAYS} days'`),
  moved: column.text("m.moved"),
  /** The later merge of the kept company, which is to be undone first. */
  later: `(select max(l.id) from merges l where l.tenant_id = $1 and l.type = m.type and l.from_id = m.kept_id
    and l.id > m.id and l.undone_at is null)`,
});

export type StoredMerge = Selected<typeof merge>;

const lockMergeStatement: Statement = {
  name: "lock_merge",
  text: `select ${merge.sql} from merges m where m.tenant_id = $1 and m.id = $2 for update of m`,
};

export async function lockMerge(run: Run, id: string): Promise<StoredMerge | null> {
  return merge.first(await run(lockMergeStatement, [id]));
}

const undoneStatement: Statement = {
  name: "merge_undone",
  text: "update merges m set undone_at = now(), undone_by = $3, before = null where m.tenant_id = $1 and m.id = $2 returning m.id",
};

export async function noteUndone(run: Run, id: string, by: string): Promise<void> {
  await run(undoneStatement, [id, by]);
}

/** The company that a merge merged away; null without such a merge. */
export const findMerge = quickQuery<[id: string]>(
  "find_merge",
  "select m.from_id from merges m where m.tenant_id = $1 and m.id = $2",
).value();

const latest = selectList({
  id: column.text("m.id"),
  fromId: column.text("m.from_id"),
  name: column.text("c.name"),
  at: column.text("m.merged_at"),
});

/** Merges into a company that can be undone, the latest first. */
export const mergesInto = quickQuery<[companyId: string]>(
  "merges_into_company",
  `select ${latest.sql} from merges m join companies c on c.tenant_id = $1 and c.id = m.from_id
  where m.tenant_id = $1 and m.type = 'company' and m.kept_id = $2 and m.undone_at is null
    and m.merged_at >= now() - interval '${UNDO_DAYS} days'
  order by m.id desc limit 5`,
).all(latest.read);
