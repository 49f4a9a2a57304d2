import { METADATA, VALUES_TEXT } from "../../platform/fields/custom.ts";
import { EXTERNAL, externalIdsOf } from "../../platform/fields/external-ids.ts";
import type { FieldTable } from "../../platform/fields/fields.ts";
import type { Expected } from "../../platform/fields/row-state.ts";
import { columnType, isExpected, namesOf } from "../../platform/fields/sql.ts";
import type { Run } from "../../platform/postgres/database.ts";
import { stepQuery, type Step } from "../../platform/postgres/query.ts";
import { column, selectList, type Selected } from "../../platform/postgres/statement.ts";

/** The properties of a noun for the statements of its merges. Its row is `k` in SQL. */
export type MergeableTable = {
  type: "company" | "contact";
  table: "companies" | "contacts";
  fields: FieldTable;
  /** A column of what belongs to it. */
  link: "company_id" | "contact_id";
  /** The tables whose rows move. */
  moved: readonly string[];
  /** SQL: whether it is shown. */
  isLive: string;
  /** SQL: the company of a contact; two of different ones are not merged. Null for a company. */
  parent: string;
};

/** A fiscal id or an external id by which a company or contact is found, although it shows another one. */
export type FormerId = { type: "company" | "contact" | "former_tax_id"; source: string; id: string; text: string };

/** A company or contact as a merge reads it; `values` as PostgreSQL's texts, by the names of valueColumns. */
export type Whole = Selected<ReturnType<typeof wholeOf>> & { values: Record<string, string | null> };

export type Move = { from: string; to: string; by: string };

const LAST_CONTACTED = "last_contacted_at";
/** Tables without a version and a history. */
const WITHOUT_VERSION: ReadonlySet<string> = new Set(["activities", "reminders", "promises"]);

/** Beside its fields, what a kept one takes from the other. The day of the next call follows from the calls. */
export function valueColumns(fields: FieldTable): string[] {
  return [...namesOf(fields).filter((name) => name !== "callback_date"), LAST_CONTACTED, METADATA];
}

function wholeOf({ isLive, parent }: MergeableTable) {
  return selectList({
    id: column.text("k.id"),
    version: column.text("k.updated_at"),
    isLive: column.flag(isLive),
    parent: parent,
    external: `k.${EXTERNAL}`,
    formerIds: column.list<FormerId>("k.former_ids"),
  });
}

function assignmentOf(name: string): string {
  if (name !== METADATA) return `${name} = r.${name}`;
  return `${name} = r.${name}::jsonb, ${VALUES_TEXT} = case when k.${name} = r.${name}::jsonb then k.${VALUES_TEXT} end`;
}

/** The queries of merges of a noun, as steps of their transactions. */
export function mergeQueries(noun: MergeableTable) {
  const { type, table, fields, link } = noun;
  const names = valueColumns(fields);
  const isOfVersion = stepQuery<[id: string, expected: Expected]>(
    `is_${type}_of_version`,
    `select 1 from ${table} k where k.tenant_id = $1 and k.id = $2
    and ${isExpected("k.updated_at", "$3::timestamptz[]")}`,
  ).exists();
  const moving = new Map(noun.moved.map((of) => [of, movingRows(of, type, link)]));
  const write = writingOne(noun, names);
  return {
    lock: lockingBoth(noun, names),

    /** Whether a locked one has one of the expected versions. */
    async isOfVersion(run: Run, id: string, expected: Expected): Promise<boolean> {
      return expected === null || (await isOfVersion(run, id, expected));
    },

    /** Moves the rows of one to another: all, or those with these ids. Returns the ids of the moved ones. */
    async moveRows(run: Run, of: string, move: Move, ids: readonly string[] | null = null): Promise<string[]> {
      const moveSome = moving.get(of);
      return moveSome === undefined || ids?.length === 0 ? [] : await moveSome(run, { ...move, ids });
    },

    mergeAway: stepQuery<Move>(
      `merge_${type}_away`,
      `update ${table} k set merged_into = :to, deleted_at = moment_after(k.updated_at),
    updated_at = moment_after(k.updated_at), changed_by = :by
  where k.tenant_id = $1 and k.id = :from returning k.id`,
    ).nothing(),

    bringBack: stepQuery<[id: string, by: string]>(
      `bring_merged_${type}_back`,
      `update ${table} k set merged_into = null, deleted_at = null, updated_at = moment_after(k.updated_at),
    changed_by = $3
  where k.tenant_id = $1 and k.id = $2 returning k.id`,
    ).nothing(),

    /** Writes values and ids. `formerBefore`: the former ids until now. */
    async write(
      run: Run,
      { id, values, external, formerIds }: Pick<Whole, "id" | "values" | "external" | "formerIds">,
      formerBefore: readonly FormerId[],
      by: string,
    ): Promise<void> {
      const [before, after] = [jsonOf(formerBefore), jsonOf(formerIds)];
      // Those that are shown again are no former ids any more, and the trigger of the update claims them.
      await writeFormerIds(run, id, before, null);
      await write(run, { id, values: JSON.stringify(values), external, formerIds: after, by });
      await writeFormerIds(run, id, null, after);
    },
  };
}

/** Locks both, in the order of their ids, against every other write of them and of what belongs to them. */
function lockingBoth(
  noun: MergeableTable,
  names: readonly string[],
): Step<[ids: readonly string[]], Map<string, Whole>> {
  const { table } = noun;
  const whole = wholeOf(noun);
  return stepQuery<[ids: readonly string[]]>(
    `lock_${table}_to_merge`,
    `select ${whole.sql}, ${names.map((name) => `k.${name}`).join(", ")}
  from ${table} k where k.tenant_id = $1 and k.id = any($2::bigint[]) order by k.id for update of k`,
  ).of((rows) => {
    const read = rows.map((row): Whole => {
      const stored = row.slice(-names.length);
      const values = Object.fromEntries(names.map((name, index) => [name, stored[index] ?? null]));
      const one = whole.read(row);
      const shown = new Map(externalIdsOf(one.external).map(({ source, externalId }) => [source, externalId]));
      // Somebody may have given it one of its former ids, which is then its own: an undo leaves it.
      const formerIds = one.formerIds.filter(({ source, id }) => shown.get(source) !== id);
      return { ...one, formerIds, values };
    });
    return new Map(read.map((each) => [each.id, each]));
  });
}

/** Writes every value column, so that there is one statement. Only changed ones are in the history. */
function writingOne({ type, table, fields }: MergeableTable, names: readonly string[]) {
  const kinds = new Map<string, string>(fields.map(({ name, kind }) => [name, columnType(kind)]));
  const typed = names.map((name) => `${name} ${name === LAST_CONTACTED ? "timestamptz" : (kinds.get(name) ?? "text")}`);
  return stepQuery<{ id: string; values: string; external: string | null; formerIds: string | null; by: string }>(
    `write_merged_${type}`,
    `update ${table} k set ${names.map(assignmentOf).join(", ")},
    ${EXTERNAL} = :external::jsonb, former_ids = :formerIds::jsonb, updated_at = moment_after(k.updated_at), changed_by = :by
  from json_to_recordset(json_build_array(:values::json)) as r (${typed.join(", ")})
  where k.tenant_id = $1 and k.id = :id returning k.id`,
  ).nothing();
}

function jsonOf(ids: readonly FormerId[]): string | null {
  return ids.length === 0 ? null : JSON.stringify(ids);
}

export type MergeQueries = ReturnType<typeof mergeQueries>;

/** Conditions of rows that do not always move, or that have another index. */
const CONDITIONS: Readonly<Record<string, string>> = {
  // They have an index by company alone.
  reminders: " and t.company_id = (select k.company_id from contacts k where k.tenant_id = $1 and k.id = :from)",
  // A company has one at most.
  promises: " and not exists (select from promises o where o.tenant_id = $1 and o.company_id = :to)",
};

function movingRows(
  table: string,
  type: MergeableTable["type"],
  link: MergeableTable["link"],
): Step<Move & { ids: readonly string[] | null }, string[]> {
  const hasVersion = !WITHOUT_VERSION.has(table);
  const version = hasVersion ? ", updated_at = moment_after(t.updated_at), changed_by = :by" : "";
  const author = hasVersion ? "" : " and :by::text is not null";
  const place = CONDITIONS[table] ?? "";
  return stepQuery<Move & { ids: readonly string[] | null }>(
    `move_${table}_to_${type}`,
    `update ${table} t set ${link} = :to${version}
    where t.tenant_id = $1 and t.${link} = :from and (:ids::bigint[] is null or t.id = any(:ids::bigint[]))${author}${place}
    returning t.id`,
  ).all(([id]) => String(id));
}

/** Makes former ids that lead to a company or contact others. */
export const writeFormerIds = stepQuery<[id: string, before: string | null, after: string | null]>(
  "write_former_ids",
  "select write_former_ids($1, $2::bigint, $3::jsonb, $4::jsonb)",
).nothing();
