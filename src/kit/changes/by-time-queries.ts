import type { Moment } from "../../platform/http/lists/moment-cursor.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { column, selectList, type Parameter, type Row, type Statement } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";

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

/**
 * A statement for a page of a table's rows `h` by time. $2, $3: the moment that all rows are before; $4, $5: the days;
 * $6: their time zone; $7: the rows to scan; $8: the rows to find; from $9 on the parameters of `of` and `passes`.
 * @param of a column and its value: the rows to scan, by the index with the column and the time. They are a range from
 *   the value to itself, so that no other index has their order (docs/decisions/0040-one-plan-for-every-tenant.md)
 * @param passes the filters, by the columns in `filtered`
 */
export function byTimeStatement(
  name: string,
  table: string,
  {
    of,
    filtered,
    passes,
    select,
  }: { of: { column: string; value: string } | undefined; filtered: string; passes: string; select: string },
): Statement {
  const [first, value, order] =
    of === undefined ? ["", "", ""] : [`h.${of.column}, `, `${of.value}, `, `h.${of.column} desc, `];
  const afterLastDay = "($5::date + 1)::timestamp at time zone $6";
  return {
    name,
    text: `with seen as materialized (
      select h.id, h.at, ${filtered} from ${table} h
      where h.tenant_id = $1${of === undefined ? "" : ` and h.${of.column} >= ${of.value}`}
        and (${first}h.at, h.id) < (
          ${value}least($2::timestamptz, ${afterLastDay}),
          case when ${afterLastDay} < $2::timestamptz then 0 else $3::bigint end
        )
        and h.at >= coalesce($4::date::timestamp at time zone $6, '-infinity')
      order by ${order}h.at desc, h.id desc limit $7
    ), last as (
      select (select count(*) from seen) as looked, at, id from seen order by at, id limit 1
    ), found as (
      select h.id from seen h where ${passes} order by h.at desc, h.id desc limit $8
    )
    select ${reached.sql}, ${select}
    order by h.at desc, h.id desc`,
  };
}

/** The matching rows of a page's statement, and the position where the scan ended. */
export function foundRows(table: string): string {
  return `from last s left join found f on true left join ${table} h on h.tenant_id = $1 and h.id = f.id`;
}

/** A page before a moment. @param isFiltered whether scanned rows may not match */
export async function readByTime<T extends Moment>(
  tenant: TenantId,
  database: Database,
  statement: Statement,
  { days: { from, to, timeZone }, isFiltered, own }: { days: Days; isFiltered: boolean; own: readonly Parameter[] },
  { before, limit }: { before: Moment; limit: number },
  read: (row: Row) => T,
): Promise<TimePage<T>> {
  const most = isFiltered ? LOOKED_THROUGH : limit + 1;
  const place = [before.at, before.id, from, to, timeZone, most, limit + 1];
  const answer = await database.slow.read(tenant, statement, [...place, ...own]);
  const rows = answer
    .map((row) => row.slice(REACHED))
    .filter(([id]) => id !== null)
    .map(read);
  if (rows.length > limit) {
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    return { rows: shown, next: last === undefined ? null : { at: last.at, id: last.id } };
  }
  const { looked, ...next } = reached.read(answer[0] ?? []);
  return { rows, next: looked === most ? next : null };
}
