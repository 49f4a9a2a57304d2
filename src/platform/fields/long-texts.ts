import type { Row } from "../postgres/statement.ts";
import { TEXT_MAX, type FieldTable } from "./fields.ts";

/**
 * Two texts of 65,535 code points in each of 200 rows are 105 MB: no list reads that in one answer from the database.
 * Its statement leaves out what is longer than this, in bytes, and says of which rows; those are read again, a few at a
 * time.
 */
const LONG_BYTES = 8_192;

/**
 * The most memory that a list's row takes, in bytes: its short texts, and its long ones as far as they are not left
 * out.
 */
export const LIST_ROW_BYTES = 24 * 1024;

/** This many rows with all of their texts at the limit are 1 MB. */
const WHOLE_AT_ONCE = 2;

/** The columns of a list's row: of a long text null. Behind them all comes `cutColumn`. */
export function listColumnsOf(names: readonly string[], fields: FieldTable, alias: string): string {
  const long = new Set(longTexts(fields));
  return names
    .map((name) => `${alias}.${name}`)
    .map((column, index) =>
      long.has(names[index] ?? "") ? `case when octet_length(${column}) <= ${LONG_BYTES} then ${column} end` : column,
    )
    .join(", ");
}

/** Whether a text was left out of a list's row: its last column. */
export function cutColumn(fields: FieldTable, alias: string): string {
  const long = longTexts(fields).map((name) => `coalesce(octet_length(${alias}.${name}) > ${LONG_BYTES}, false)`);
  return `(${long.join(" or ")})`;
}

/**
 * The ids of a page that is bounded by its bytes too, by ascending id, as a CTE `page`: `before` is how many bytes of
 * long texts come before a row. Selecting those with `withinBytes` leaves at least one, and tells what to begin the
 * next page after.
 * @param from the table by the alias `k`, and what else decides about its rows
 * @param where the condition, with the id after which to begin as $2; $3 is how many
 */
export function pageByBytes(fields: FieldTable, from: string, where: string): string {
  const bytes = ["0", ...longTexts(fields).map((name) => `coalesce(octet_length(k.${name}), 0)`)].join(" + ");
  return `with page as materialized (
    select k.id, sum(${bytes}) over (order by k.id) - (${bytes}) as before from ${from} where ${where}
    order by k.id limit $3
  )`;
}

export const withinBytes = "page.before < 4194304";

/** The rows of a list, as they are written. */
export type ListRows = {
  rows: readonly Row[];
  /** The row as JSON. */
  write: (row: Row) => string;
  /** Reads rows with all of their texts, by their ids. */
  whole: (ids: string[]) => Promise<Row[]>;
};

/** The rows as JSON, one after the other; all at once where nothing was left out. */
export function writeRows({ rows, write, whole }: ListRows): string[] | AsyncGenerator<string> {
  return rows.some(isCut) ? writeWhole({ rows, write, whole }) : rows.map(write);
}

async function* writeWhole({ rows, write, whole }: ListRows): AsyncGenerator<string> {
  for (let at = 0; at < rows.length; at += WHOLE_AT_ONCE) {
    const some = rows.slice(at, at + WHOLE_AT_ONCE);
    const cut = some.filter(isCut).map(idOf);
    const read = new Map((cut.length === 0 ? [] : await whole(cut)).map((row) => [idOf(row), row]));
    for (const row of some) yield write(read.get(idOf(row)) ?? row);
  }
}

function isCut(row: Row): boolean {
  return row.at(-1) === "t";
}

function idOf([id]: Row): string {
  return String(id);
}

function longTexts(fields: FieldTable): string[] {
  return fields.filter(({ max }) => max === TEXT_MAX).map(({ name }) => name);
}
