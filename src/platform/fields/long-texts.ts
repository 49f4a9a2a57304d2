import { bytesBefore, type Row } from "../postgres/statement.ts";
import { METADATA, valuesText } from "./custom.ts";
import { TEXT_MAX, type FieldKind, type FieldTable } from "./fields.ts";

/**
 * Two texts of 65,535 code points in each of 200 rows are 105 MB, too much for one answer from the database. So the
 * statement omits texts longer than this, in bytes, and marks their rows, which are then read again, a few at a time.
 * The values of custom fields count as one text.
 */
const LONG_BYTES = 8_192;

/** The most memory for a row of a list, in bytes: its short texts, and the long ones that are not omitted. */
export const LIST_ROW_BYTES = 24 * 1024;

/** The most bytes in a part of an answer, unless a single row is larger. */
const PART_BYTES = 128 * 1024;

/** The columns of a list's row, with null for a long text. `bytesLeftOut` follows them all. */
export function listColumnsOf(names: readonly string[], fields: FieldTable, alias: string): string {
  const lengths = lengthsOf(names, fields, alias);
  return names
    .map((name) => {
      const length = lengths.get(name);
      const column = name === METADATA ? valuesText(alias) : `${alias}.${name}`;
      return length === undefined ? column : `case when ${length} <= ${LONG_BYTES} then ${column} end`;
    })
    .join(", ");
}

/** The bytes of long texts that were omitted from a list's row: its last column. */
export function bytesLeftOut(names: readonly string[], fields: FieldTable, alias: string): string {
  const lengths = [...lengthsOf(names, fields, alias).values()];
  return lengths.map((length) => `case when ${length} > ${LONG_BYTES} then ${length} else 0 end`).join(" + ");
}

/**
 * The ids of a page that is also limited by its bytes, by ascending id, as a CTE `page`: `before` is the number of
 * bytes of text before a row. Selecting with `withinBytes` leaves at least one row, and shows after which the next page
 * begins.
 * @param others SQL of further texts
 * @param from the table by the alias `k`, with the joins of its condition
 * @param where the condition, with the id after which to begin; `:limit` is the most rows
 */
export function pageByBytes(fields: FieldTable, others: readonly string[], from: string, where: string): string {
  const texts = fields.filter(({ kind }) => TEXTS.has(kind)).map(({ name }) => `k.${name}`);
  return `with page as materialized (
    select k.id, ${bytesBefore([...texts, ...others], "k.id")} as before from ${from} where ${where}
    order by k.id limit :limit
  )`;
}

/** 256 KiB and the row that exceeds it: an export has one page in memory for each reader. */
export const withinBytes = "page.before < 262144";

const TEXTS: ReadonlySet<FieldKind> = new Set(["string", "email", "list"]);

/** The rows of a list, and the functions that write them. */
export type ListRows = {
  rows: readonly Row[];
  /** The row as JSON. */
  write: (row: Row) => string;
  /** Reads rows with all of their texts, by their ids. */
  whole: (ids: string[]) => Promise<Row[]>;
};

/** The rows as JSON, one after the other; all at once if no text was omitted. */
export function writeRows(list: ListRows): string[] | AsyncGenerator<string> {
  const { rows, write } = list;
  return rows.some((row) => omittedBytes(row) > 0) ? writeWhole(list) : rows.map(write);
}

async function* writeWhole({ rows, write, whole }: ListRows): AsyncGenerator<string> {
  for (const some of partsOf(rows)) {
    const cut = some.filter((row) => omittedBytes(row) > 0).map(idOf);
    const read = new Map((cut.length === 0 ? [] : await whole(cut)).map((row) => [idOf(row), row]));
    for (const row of some) yield write(read.get(idOf(row)) ?? row);
  }
}

/** Neighbouring rows that are read as one part. */
function* partsOf(rows: readonly Row[]): Generator<Row[]> {
  let some: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    const more = omittedBytes(row) + row.reduce((sum, value) => sum + (value?.length ?? 0), 0);
    if (some.length > 0 && bytes + more > PART_BYTES) {
      yield some;
      [some, bytes] = [[], 0];
    }
    some.push(row);
    bytes += more;
  }
  yield some;
}

/** The bytes of the texts that were omitted from a row. */
export function omittedBytes(row: Row): number {
  return Number(row.at(-1));
}

function idOf([id]: Row): string {
  return String(id);
}

/** The lengths in bytes, as SQL, of the columns that can be long. */
function lengthsOf(names: readonly string[], fields: FieldTable, alias: string): Map<string, string> {
  const long = new Set(fields.filter(({ max }) => max === TEXT_MAX).map(({ name }) => name));
  const lengths = names.flatMap((name): [string, string][] => {
    if (name === METADATA) return [[name, `octet_length(${valuesText(alias)})`]];
    return long.has(name) ? [[name, `octet_length(${alias}.${name})`]] : [];
  });
  return new Map(lengths);
}
