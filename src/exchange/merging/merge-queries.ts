import { companyFields } from "../../customers/companies/company.ts";
import { hasWarehouse, subdomainOf } from "../../customers/companies/warehouse-of-company.ts";
import { recordKinds } from "../../customers/records/record.ts";
import { METADATA } from "../../platform/fields/custom.ts";
import { EXTERNAL } from "../../platform/fields/external-ids.ts";
import type { Expected } from "../../platform/fields/row-state.ts";
import { columnType, isExpected, namesOf } from "../../platform/fields/sql.ts";
import type { Run } from "../../platform/postgres/database.ts";
import { column, selectList, type Selected, type Statement } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";

/** The tables whose rows move with their company. Payments follow their invoices (invoices_after_update). */
export const MOVED_TABLES = [
  "contacts",
  "addresses",
  "invoices",
  "activities",
  "planned_calls",
  ...recordKinds,
] as const;
export type MovedTable = (typeof MOVED_TABLES)[number];

/** Beside its fields, what a kept company takes from the other. The day of the next call follows from the calls. */
const LAST_CONTACTED = "last_contacted_at";
export const VALUE_COLUMNS: readonly string[] = [
  ...namesOf(companyFields).filter((name) => name !== "callback_date"),
  LAST_CONTACTED,
  METADATA,
];

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
export async function lockCompanies(
  tenant: TenantId,
  run: Run,
  ids: readonly string[],
): Promise<Map<string, WholeCompany>> {
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
export async function isOfVersion(
  tenant: TenantId,
  run: Run,
  { id }: WholeCompany,
  expected: Expected,
): Promise<boolean> {
  return expected === null || (await run(versionStatement, [id, expected])).length > 0;
}

const taxNumbersStatement: Statement = {
  name: "tax_numbers_of_texts",
  text: "select tax_number(text) from unnest($2::text[]) with ordinality as t (text, place) where $1 > 0 order by place",
};

/** Fiscal ids without what people write around their digits. */
export async function taxNumbers(tenant: TenantId, run: Run, texts: readonly string[]): Promise<string[]> {
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
export async function countElsewhere(
  tenant: TenantId,
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

export type Move = { from: string; to: string; by: string };

/** Moves the rows of a company to another: all, or those with these ids. Returns the ids of the moved ones. */
export async function moveRows(
  tenant: TenantId,
  run: Run,
  table: MovedTable,
  { from, to, by }: Move,
  ids: readonly string[] | null = null,
): Promise<string[]> {
  const statement = movingStatements.get(table);
  if (statement === undefined || ids?.length === 0) return [];
  return (await run(statement, [from, to, ids, by])).map((row) => moved.read(row).id);
}

const nextCallStatement: Statement = {
  name: "store_next_call_of_merged",
  text: `update companies c set callback_date = n.due_on, updated_at = moment_after(c.updated_at), changed_by = $3
  from (
    select min(h.due_on) as due_on from planned_calls h
    where h.tenant_id = $1 and h.company_id = $2 and h.deleted_at is null
  ) n
  where c.tenant_id = $1 and c.id = $2 and c.callback_date is distinct from n.due_on returning c.id`,
};

/** Stores the day of the next call of a company whose calls have moved. */
export async function storeMovedCalls(tenant: TenantId, run: Run, company: string, by: string): Promise<void> {
  await run(nextCallStatement, [company, by]);
}

const paymentsStatement: Statement = {
  name: "count_payments_of_company",
  text: "select count(*) from payments p where p.tenant_id = $1 and p.company_id = $2 and p.deleted_at is null",
};

export async function countPayments(tenant: TenantId, run: Run, company: string): Promise<number> {
  return Number((await run(paymentsStatement, [company]))[0]?.[0]);
}

const remindersStatement: Statement = {
  name: "move_reminders_to_company",
  text: `update reminders r set company_id = $3 where r.tenant_id = $1 and r.company_id = $2 and r.id in (
    select d.reminder_id from reminded d join invoices i on i.tenant_id = $1 and i.id = d.invoice_id
    where d.tenant_id = $1 and i.company_id = $3)`,
};

const promiseStatement: Statement = {
  name: "move_promise_to_company",
  text: `update promises p set company_id = $3 where p.tenant_id = $1 and p.company_id = $2
    and not exists (select from promises o where o.tenant_id = $1 and o.company_id = $3)`,
};

/** Has reminders follow their invoices. */
export async function moveReminders(tenant: TenantId, run: Run, { from, to }: Omit<Move, "by">): Promise<void> {
  await run(remindersStatement, [from, to]);
}

/** Moves the promise of a company to another that has none. Nothing brings it back. */
export async function movePromise(tenant: TenantId, run: Run, { from, to }: Omit<Move, "by">): Promise<void> {
  await run(promiseStatement, [from, to]);
}

const followStatement: Statement = {
  name: "follow_moved_orders",
  text: `select enqueue_wms_jobs($1, $2::bigint, null, (
    select min(i.wms_poll_at) from invoices i
    where i.tenant_id = $1 and i.company_id = $2::bigint and i.wms_poll_at is not null))`,
};

/** Has the orders of a company followed: the job that follows them is the company's. */
export async function followMoved(tenant: TenantId, run: Run, company: string): Promise<void> {
  await run(followStatement, [company]);
}

const mergeAwayStatement: Statement = {
  name: "merge_company_away",
  text: `update companies c set merged_into = $3, deleted_at = moment_after(c.updated_at),
    updated_at = moment_after(c.updated_at), changed_by = $4
  where c.tenant_id = $1 and c.id = $2 returning c.id`,
};

export async function mergeAway(tenant: TenantId, run: Run, { from, to, by }: Move): Promise<void> {
  await run(mergeAwayStatement, [from, to, by]);
}

const bringBackStatement: Statement = {
  name: "bring_merged_company_back",
  text: `update companies c set merged_into = null, deleted_at = null, updated_at = moment_after(c.updated_at),
    changed_by = $3
  where c.tenant_id = $1 and c.id = $2 returning c.id`,
};

export async function bringBack(tenant: TenantId, run: Run, id: string, by: string): Promise<void> {
  await run(bringBackStatement, [id, by]);
}

/** Every value column is written, so that there is one statement. Only changed ones are in the history. */
const typed = [
  ...companyFields.map(({ name, kind }) => `${name} ${columnType(kind)}`),
  `${LAST_CONTACTED} timestamptz`,
  `${METADATA} text`,
].join(", ");

const writeStatement: Statement = {
  name: "write_merged_company",
  text: `update companies c set ${VALUE_COLUMNS.map((name) => `${name} = r.${name}${name === METADATA ? "::jsonb" : ""}`).join(", ")},
    ${EXTERNAL} = $4::jsonb, former_ids = $5::jsonb, updated_at = moment_after(c.updated_at), changed_by = $6
  from json_to_recordset(json_build_array($3::json)) as r (${typed})
  where c.tenant_id = $1 and c.id = $2 returning c.id`,
};

const formerStatement: Statement = {
  name: "write_former_ids",
  text: "select write_former_ids($1, $2::bigint, $3::jsonb, $4::jsonb)",
};

/** Writes a company's values and ids. `formerBefore`: its former ids until now. */
export async function writeMerged(
  tenant: TenantId,
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
