import { bytesBefore, type Row } from "../postgres/statement.ts";
import { TEXT_MAX, type FieldKind, type FieldTable } from "./fields.ts";

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

/** A part of an answer has so many bytes at most, or one row that has more. */
const PART_BYTES = 128 * 1024;

/** The columns of a list's row: of a long text null. Behind them all comes `bytesLeftOut`. */
export function listColumnsOf(names: readonly string[], fields: FieldTable, alias: string): string {
  const long = new Set(longTexts(fields));
  return names
    .map((name) => `${alias}.${name}`)
    .map((column, index) =>
      long.has(names[index] ?? "") ? `case when octet_length(${column}) <= ${LONG_BYTES} then ${column} end` : column,
    )
    .join(", ");
}

/** The bytes of long texts that were left out of a list's row: its last column. */
export function bytesLeftOut(fields: FieldTable, alias: string): string {
  const lengths = longTexts(fields).map((name) => `octet_length(${alias}.${name})`);
  return lengths.map((length) => `case when ${length} > ${LONG_BYTES} then ${length} else 0 end`).join(" + ");
}

/**
 * The ids of a page that is bounded by its bytes too, by ascending id, as a CTE `page`: `before` is how many bytes of
 * texts come before a row. Selecting those with `withinBytes` leaves at least one, and tells what to begin the
 * next page after.
 * @param from the table by the alias `k`, and what else decides about its rows
 * @param where the condition, with the id after which to begin as $2; $3 is how many
 */
export function pageByBytes(fields: FieldTable, from: string, where: string): string {
  const texts = fields.filter(({ kind }) => TEXTS.has(kind)).map(({ name }) => `k.${name}`);
  return `with page as materialized (
    select k.id, ${bytesBefore(texts, "k.id")} as before from ${from} where ${where}
    order by k.id limit $3
  )`;
}

/** 256 KiB, and the row that is beyond it: whoever writes rows out has one page in memory for each reader. */
export const withinBytes = "page.before < 262144";

const TEXTS: ReadonlySet<FieldKind> = new Set(["string", "email", "list"]);

/** The rows of a list, as they are written. */
export type ListRows = {
  rows: readonly Row[];
  /** The row as JSON. */
  write: (row: Row) => string;
  /** Reads rows with all of their texts, by their ids. */
  whole: (ids: string[]) => Promise<Row[]>;
};

/** The rows as JSON, one after the other; all at once where nothing was left out. */
export function writeRows(list: ListRows): string[] | AsyncGenerator<string> {
  const { rows, write } = list;
  return rows.some((row) => leftOut(row) > 0) ? writeWhole(list) : rows.map(write);
}

async function* writeWhole({ rows, write, whole }: ListRows): AsyncGenerator<string> {
  for (const some of partsOf(rows)) {
    const cut = some.filter((row) => leftOut(row) > 0).map(idOf);
    const read = new Map((cut.length === 0 ? [] : await whole(cut)).map((row) => [idOf(row), row]));
    for (const row of some) yield write(read.get(idOf(row)) ?? row);
  }
}

/** Neighbouring rows that are read as one part. */
function* partsOf(rows: readonly Row[]): Generator<Row[]> {
  let some: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    const more = leftOut(row) + row.reduce((sum, value) => sum + (value?.length ?? 0), 0);
    if (some.length > 0 && bytes + more > PART_BYTES) {
      yield some;
      [some, bytes] = [[], 0];
    }
    some.push(row);
    bytes += more;
  }
  yield some;
}

function leftOut(row: Row): number {
  return Number(row.at(-1));
}

function idOf([id]: Row): string {
  return String(id);
}

function longTexts(fields: FieldTable): string[] {
  return fields.filter(({ max }) => max === TEXT_MAX).map(({ name }) => name);
}
