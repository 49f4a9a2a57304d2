import { METADATA, VALUES_TEXT } from "../../platform/fields/custom.ts";
import { EXTERNAL } from "../../platform/fields/external-ids.ts";
import type { FieldTable } from "../../platform/fields/fields.ts";
import type { Expected } from "../../platform/fields/row-state.ts";
import { columnType, isExpected, namesOf } from "../../platform/fields/sql.ts";
import type { Run } from "../../platform/postgres/database.ts";
import { column, selectList, type Selected, type Statement } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";

/** The properties of a noun for the statements of its merges. Its row is `k` in SQL. */
export type MergedTable = {
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
const movedRow = selectList({ id: column.text("t.id") });

/** Beside its fields, what a kept one takes from the other. The day of the next call follows from the calls. */
export function valueColumns(fields: FieldTable): string[] {
  return [...namesOf(fields).filter((name) => name !== "callback_date"), LAST_CONTACTED, METADATA];
}

function wholeOf({ isLive, parent }: MergedTable) {
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

/** The statements of merges of a noun. */
export function mergeQueries(noun: MergedTable) {
  const { type, table, fields, link } = noun;
  const names = valueColumns(fields);
  const whole = wholeOf(noun);
  const lock: Statement = {
    name: `lock_${table}_to_merge`,
    text: `select ${whole.sql}, ${names.map((name) => `k.${name}`).join(", ")}
  from ${table} k where k.tenant_id = $1 and k.id = any($2::bigint[]) order by k.id for update of k`,
  };
  const version: Statement = {
    name: `is_${type}_of_version`,
    text: `select 1 from ${table} k where k.tenant_id = $1 and k.id = $2
    and ${isExpected("k.updated_at", "$3::timestamptz[]")}`,
  };
  const moving = new Map(noun.moved.map((of) => [of, movingStatement(of, type, link)]));
  const mergeAway: Statement = {
    name: `merge_${type}_away`,
    text: `update ${table} k set merged_into = $3, deleted_at = moment_after(k.updated_at),
    updated_at = moment_after(k.updated_at), changed_by = $4
  where k.tenant_id = $1 and k.id = $2 returning k.id`,
  };
  const bringBack: Statement = {
    name: `bring_merged_${type}_back`,
    text: `update ${table} k set merged_into = null, deleted_at = null, updated_at = moment_after(k.updated_at),
    changed_by = $3
  where k.tenant_id = $1 and k.id = $2 returning k.id`,
  };
  // Every value column is written, so that there is one statement. Only changed ones are in the history.
  const kinds = new Map<string, string>(fields.map(({ name, kind }) => [name, columnType(kind)]));
  const typed = names.map((name) => `${name} ${name === LAST_CONTACTED ? "timestamptz" : (kinds.get(name) ?? "text")}`);
  const write: Statement = {
    name: `write_merged_${type}`,
    text: `update ${table} k set ${names.map(assignmentOf).join(", ")},
    ${EXTERNAL} = $4::jsonb, former_ids = $5::jsonb, updated_at = moment_after(k.updated_at), changed_by = $6
  from json_to_recordset(json_build_array($3::json)) as r (${typed.join(", ")})
  where k.tenant_id = $1 and k.id = $2 returning k.id`,
  };
  return {
    /** Locks both, in the order of their ids, against every other write of them and of what belongs to them. */
    async lock(tenant: TenantId, run: Run, ids: readonly string[]): Promise<Map<string, Whole>> {
      const rows = await run(lock, [ids]);
      return new Map(
        rows.map((row) => {
          const stored = row.slice(-names.length);
          const values = Object.fromEntries(names.map((name, index) => [name, stored[index] ?? null]));
          const read = { ...whole.read(row), values };
          return [read.id, read];
        }),
      );
    },

    /** Whether a locked one has one of the expected versions. */
    async isOfVersion(tenant: TenantId, run: Run, id: string, expected: Expected): Promise<boolean> {
      return expected === null || (await run(version, [id, expected])).length > 0;
    },

    /** Moves the rows of one to another: all, or those with these ids. Returns the ids of the moved ones. */
    async moveRows(
      tenant: TenantId,
      run: Run,
      of: string,
      { from, to, by }: Move,
      ids: readonly string[] | null = null,
    ): Promise<string[]> {
      const statement = moving.get(of);
      if (statement === undefined || ids?.length === 0) return [];
      return (await run(statement, [from, to, ids, by])).map((row) => movedRow.read(row).id);
    },

    async mergeAway(tenant: TenantId, run: Run, { from, to, by }: Move): Promise<void> {
      await run(mergeAway, [from, to, by]);
    },

    async bringBack(tenant: TenantId, run: Run, id: string, by: string): Promise<void> {
      await run(bringBack, [id, by]);
    },

    /** Writes values and ids. `formerBefore`: the former ids until now. */
    async write(
      tenant: TenantId,
      run: Run,
      { id, values, external, formerIds }: Pick<Whole, "id" | "values" | "external" | "formerIds">,
      formerBefore: readonly FormerId[],
      by: string,
    ): Promise<void> {
      const [before, after] = [formerBefore, formerIds].map((ids) => (ids.length === 0 ? null : JSON.stringify(ids)));
      // Those that are shown again are no former ids any more, and the trigger of the update claims them.
      await run(formerStatement, [id, before ?? null, null]);
      await run(write, [id, JSON.stringify(values), external, after ?? null, by]);
      await run(formerStatement, [id, null, after ?? null]);
    },
  };
}

export type MergeQueries = ReturnType<typeof mergeQueries>;

/** Conditions of rows that do not always move, or that have another index. */
const CONDITIONS: Readonly<Record<string, string>> = {
  // They have an index by company alone.
  reminders: " and t.company_id = (select k.company_id from contacts k where k.tenant_id = $1 and k.id = $2)",
  // A company has one at most.
  promises: " and not exists (select from promises o where o.tenant_id = $1 and o.company_id = $3)",
};

function movingStatement(table: string, type: MergedTable["type"], link: MergedTable["link"]): Statement {
  const hasVersion = !WITHOUT_VERSION.has(table);
  const version = hasVersion ? ", updated_at = moment_after(t.updated_at), changed_by = $5" : "";
  const author = hasVersion ? "" : " and $5::text is not null";
  const place = CONDITIONS[table] ?? "";
  return {
    name: `move_${table}_to_${type}`,
    text: `update ${table} t set ${link} = $3${version}
    where t.tenant_id = $1 and t.${link} = $2 and ($4::bigint[] is null or t.id = any($4::bigint[]))${author}${place}
    returning ${movedRow.sql}`,
  };
}

const formerStatement: Statement = {
  name: "write_former_ids",
  text: "select write_former_ids($1, $2::bigint, $3::jsonb, $4::jsonb)",
};
