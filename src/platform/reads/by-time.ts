import type { Moment } from "../http/lists/moment-cursor.ts";
import type { Database } from "../postgres/database.ts";
import { namedStatement, readNamed } from "../postgres/query.ts";
import { column, selectList, type Row } from "../postgres/statement.ts";
import type { TenantId } from "../postgres/tenant-id.ts";
import { matches, type Condition } from "./filters.ts";

/** Days of a time zone, both included; null for an open end. */
export type Days = { from: string | null; to: string | null; timeZone: string };

/** A page of rows, newest first; `next` is the position of the next page, null at the end. */
export type TimePage<T> = { rows: T[]; next: Moment | null };

/**
 * Rows that a filter scans per page; the page then returns how far it came. The cost of a page is limited, whatever the
 * filter and the number of rows.
 */
const LOOKED_THROUGH = 10_000;

const reached = selectList({ looked: column.number("s.looked"), at: column.text("s.at"), id: column.text("s.id") });
const REACHED = 3;

/** A list by time, described once. All SQL is over the table's alias `h`, with named parameters. */
type TimeList<Column extends string, Filter extends string> = {
  table: string;
  /** The name of the statement that reads all rows, and of those that read the rows with a value of a column. */
  names: Readonly<Record<Column | "all", string>>;
  filters: Readonly<Record<Filter, Condition>>;
  /** A condition that each row is checked for. */
  shown?: string;
  /** The joins that the columns need. */
  beside: string;
};

/** The rows that are requested: of a column's value, if `of` names one. A null filter does not filter. */
export type TimeRequest<Column extends string, Filter extends string> = Days &
  Readonly<Record<Filter, string | null>> & { of: { [Name in Column]?: string } | null };

/** Reads pages of a list by time, each before a moment. */
export function listByTime<Column extends string, Filter extends string, T extends Moment>(
  list: TimeList<Column, Filter>,
  columns: { sql: string; read: (row: Row) => T },
): (
  tenant: TenantId,
  database: Database,
  asked: TimeRequest<Column, Filter>,
  page: { before: Moment; limit: number },
) => Promise<TimePage<T>> {
  const statements = new Map(
    Object.entries<string>(list.names).map(([of, name]) => [of, namedStatement(name, textOf(list, columns.sql, of))]),
  );
  const filters = Object.keys(list.filters) as Filter[];
  return async (tenant, database, asked, { before, limit }) => {
    const [[of, value] = ["all", null]] = Object.entries<string | undefined>(asked.of ?? {});
    const statement = statements.get(of);
    if (statement === undefined) throw new Error(`${list.table} have no list of ${of}`);
    const most = filters.some((name) => asked[name] !== null) ? LOOKED_THROUGH : limit + 1;
    const answer = await readNamed(tenant, database.slow, statement, {
      ...asked,
      ...before,
      value,
      time_zone: asked.timeZone,
      most,
      found: limit + 1,
    });
    const rows = answer
      .map((row) => row.slice(REACHED))
      .filter(([id]) => id !== null)
      .map((row) => columns.read(row));
    if (rows.length > limit) {
      const shown = rows.slice(0, limit);
      const last = shown.at(-1);
      return { rows: shown, next: last === undefined ? null : { at: last.at, id: last.id } };
    }
    const { looked, ...next } = reached.read(answer[0] ?? []);
    return { rows, next: looked === most ? next : null };
  };
}

/**
 * The statement for a page. The rows of a column's value are a range of the index with the column and the time, from
 * the value to itself, so that no other index has their order (docs/decisions/0040-one-plan-for-every-tenant.md).
 */
function textOf(
  { table, filters, shown = "true", beside }: TimeList<string, string>,
  columns: string,
  of: string,
): string {
  const [first, value, order] = of === "all" ? ["", "", ""] : [`h.${of}, `, ":value::bigint, ", `h.${of} desc, `];
  const passes = `${shown} and ${matches(filters)}`;
  const filtered = [...new Set(["h.id", "h.at", ...[...passes.matchAll(/\bh\.\w+/g)].map(String)])].join(", ");
  const afterLastDay = "(:to::date + 1)::timestamp at time zone :time_zone";
  return `with seen as materialized (
      select ${filtered} from ${table} h
      where h.tenant_id = $1${of === "all" ? "" : ` and h.${of} >= :value::bigint`}
        and (${first}h.at, h.id) < (
          ${value}least(:at::timestamptz, ${afterLastDay}),
          case when ${afterLastDay} < :at::timestamptz then 0 else :id::bigint end
        )
        and h.at >= coalesce(:from::date::timestamp at time zone :time_zone, '-infinity')
      order by ${order}h.at desc, h.id desc limit :most
    ), last as (
      select (select count(*) from seen) as looked, at, id from seen order by at, id limit 1
    ), found as (
      select h.id from seen h where ${passes} order by h.at desc, h.id desc limit :found
    )
    select ${reached.sql}, ${columns} from last s
    left join found f on true left join ${table} h on h.tenant_id = $1 and h.id = f.id ${beside}
    order by h.at desc, h.id desc`;
}
