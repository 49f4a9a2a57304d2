import { parseDate } from "../dates.ts";
import { CUSTOM, plainDecimal, type CustomField, type CustomTable } from "../fields/custom.ts";
import { asSearched, type Query } from "../http/lists/pagination.ts";
import type { Database } from "../postgres/database.ts";
import { namedStatement, type NamedStatement } from "../postgres/query.ts";
import { column, selectList } from "../postgres/statement.ts";
import type { TenantId } from "../postgres/tenant-id.ts";
import type { ReadFilter } from "./filters.ts";

/** The most custom fields that a list is narrowed by. */
export const CUSTOM_FILTERS_MAX = 3;

/** The filter by values of custom fields: an object of them, as JSON. It is no parameter of its own (parseCustom). */
export const customFilter: ReadFilter = { sql: "k.metadata @> :custom", type: "jsonb" };

/** The query's name of a filter by a custom field: `custom[KEY]`. */
export function customParameter(key: string): string {
  return `${CUSTOM}[${key}]`;
}

/** The key in a parameter's name; undefined if it is no such name. */
function keyIn(parameter: string): string | undefined {
  return parameter.startsWith(`${CUSTOM}[`) && parameter.endsWith("]")
    ? parameter.slice(CUSTOM.length + 1, -1)
    : undefined;
}

export function isCustomParameter(name: string): boolean {
  return keyIn(name) !== undefined;
}

/**
 * The filters of a query by custom fields. `value`: as JSON; null if there is none, or if one of them can match
 * nothing.
 */
export type CustomFilters = {
  value: string | null;
  matchesNothing: boolean;
  asked: CustomField[];
  /** The parameters that name no field. */
  unknown: string[];
};

/** @param typed a value in the format of the API */
export function parseCustom(
  { fields }: CustomTable,
  query: Query,
  typed = (_field: CustomField, text: string): string => text,
): CustomFilters {
  const sent = query.names().filter(isCustomParameter);
  const unknown = sent.filter((name) => !fields.some(({ key }) => key === keyIn(name)));
  const asked = fields.filter(({ key }) => query.get(customParameter(key)) !== undefined);
  const values = asked.map((field) => {
    const text = query.get(customParameter(field.key)) ?? "";
    return [field.key, valueOf(field, typed(field, text))] as const;
  });
  const matchesNothing = values.some(([, value]) => value === null);
  const value = asked.length === 0 || matchesNothing ? null : JSON.stringify(Object.fromEntries(values));
  return { value, matchesNothing, asked, unknown };
}

/** A value as it is stored; null if it can be none. */
function valueOf({ kind }: CustomField, text: string): string | boolean | null {
  switch (kind) {
    case "boolean":
      return text === "true" || text === "false" ? text === "true" : null;
    case "decimal":
      return /^[+-]?\d{1,15}(?:\.\d{1,15})?$/.test(text) ? plainDecimal(text.replace(/^\+/, "")) : null;
    case "date":
      return parseDate(text);
    default:
      return asSearched(text);
  }
}

/** The entries of a value in the table value_entries, by the alias `v`: a range of its key, by ascending id. */
const ofValue = (noun: string, key: string, value: string) =>
  `v.tenant_id = $1 and v.entry = value_entry('${noun}', ${key}, ${value})`;

/** The same of the value with the name `:value_key` and the text `:value`. */
export function entriesWithValue(noun: string): string {
  return ofValue(noun, ":value_key::text", ":value::text");
}

/** The number of rows from which on a count is kept, and the changes since it from which on it is made again. */
const [COMMON, CHANGED] = [20_000, 1_000];

/** The result of a count of the rows with a value. `isDue`: a job should keep the count, or fold its changes. */
export const countedWithValue = selectList({ total: column.number("c.total"), isDue: column.flag("c.is_due") });

/** The counts of common values that a job keeps: its tables, and what has a count kept. */
export type CommonCounts = {
  sums: string;
  changes: string;
  keepCount: (tenant: TenantId, database: Database, key: string, value: string) => void;
};

/** Counts the rows with a value: by the count that is kept of a common one, or one by one. */
export function countWithValue(noun: string, common: CommonCounts | undefined): string {
  const entries = `from value_entries v where ${entriesWithValue(noun)}`;
  if (common === undefined) {
    return `select ${countedWithValue.sql} from (select count(*) as total, false as is_due ${entries}) c`;
  }
  return `with kept as materialized (
      select s.id, s.n, s.asked_at from ${common.sums} s
      where s.tenant_id = $1 and s.key = :value_key::text and s.value = :value::text and s.n is not null
    ), changed as materialized (
      select coalesce(sum(d.n), 0)::bigint as n, count(*) as changes from ${common.changes} d
      where d.tenant_id = $1 and d.sum_id = (select k.id from kept k)
    ), counted as materialized (
      select count(*) as n ${entries} and not exists (select from kept)
    )
    select ${countedWithValue.sql} from (
      select k.n + d.n as total, d.changes > ${CHANGED} or k.asked_at < now() - interval '1 day' as is_due
      from kept k cross join changed d
      union all
      select n.n, n.n > ${COMMON} from counted n where not exists (select from kept)
    ) c`;
}

/** Whether a record `k` has all of the values (`:custom`). */
export const hasCustomValues = `(:custom::jsonb is null or ${customFilter.sql})`;

/** The rarest of the values (`:custom`) and its number, of which `:most` and one more are counted: a CTE `rarest`. */
const rarest = (noun: string) => `with asked as materialized (
      select key, value from jsonb_each_text(:custom::jsonb)
    ), counted as materialized (
      select asked.key, asked.value, (
        select count(*) from (
          select 1 from value_entries v where ${ofValue(noun, "asked.key", "asked.value")} limit :most + 1
        ) few
      ) as n from asked
    ), rarest as materialized (
      select key, value, n from counted order by n limit 1
    )`;

/** The ids of the records with the rarest of the values; null if more than `:most` have each of them. */
export function rarestStatement(noun: string, name: string): NamedStatement {
  return namedStatement(
    `rarest_value_of_${name}`,
    `${rarest(noun)}
    select case when rarest.n <= :most then array(
      select v.record_id from value_entries v where ${ofValue(noun, "rarest.key", "rarest.value")}
    ) end from rarest`,
  );
}

/** The same ids, the lowest `:most` of them if there are more: a select. */
export function rarestEntries(noun: string): string {
  return `${rarest(noun)}
    select few.id from rarest cross join lateral (
      select v.record_id as id from value_entries v where ${ofValue(noun, "rarest.key", "rarest.value")}
      order by v.record_id limit :most
    ) few`;
}

/** The values of a filter, each by the names of its parameters. */
export function askedValuesIn(custom: string | null | undefined): { value_key: string; value: string }[] {
  if (custom == null) return [];
  return Object.entries(JSON.parse(custom) as object).map(([key, value]) => ({ value_key: key, value: String(value) }));
}

/** The ids in PostgreSQL's text of an array. */
export function idsIn(array: string): string[] {
  return array === "{}" ? [] : array.slice(1, -1).split(",");
}
