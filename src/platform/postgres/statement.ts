/**
 * A prepared statement. Its name is unique in the program; with an empty one it is prepared anew each time.
 * `isOneOfMany`: what clients send decides how many of its kind there are. A connection keeps the latest of them only.
 * `isNoNews`: nobody follows what it writes (news.ts).
 */
export type Statement = { name: string; text: string; isOneOfMany?: true; isNoNews?: true };

export type Parameter = string | number | boolean | null | Buffer | readonly (string | number | boolean | null)[];

/**
 * `entries`: for a statement that takes any number of entries as one JSON array ($2), and has no other parameters. It
 * answers a row for each in their order, or none; or `by id` a row for each that it finds, which begins with the entry's id.
 * The entries of several callers may become one call.
 */
export type Call = {
  statement: Statement;
  parameters: Parameter[];
  entries?: readonly Entry[];
  answers?: "by id";
};

/** Values by column; also an id, as text, and the versions that are expected. */
export type Entry = Readonly<Record<string, string | number | boolean | readonly string[] | null>>;

/** A row as PostgreSQL's text per column, in the order of the select list. */
export type Row = (string | null)[];

/** A column as SQL, and what its text means. One that is SQL alone is PostgreSQL's text, or null. */
export type Column<T> = { sql: string; read: (text: string | null) => T };
type Columns = Readonly<Record<string, string | Column<unknown>>>;
type ValuesOf<C extends Columns> = { [Name in keyof C]: C[Name] extends Column<infer T> ? T : string | null };

export const column = {
  /** A text that is never null. */
  text: <T extends string = string>(sql: string): Column<T> => ({ sql, read: (text) => String(text) as T }),
  textOrNull: <T extends string>(sql: string): Column<T | null> => ({ sql, read: (text) => text as T | null }),
  number: (sql: string): Column<number> => ({ sql, read: Number }),
  numberOrNull: (sql: string): Column<number | null> => ({
    sql,
    read: (text) => (text === null ? null : Number(text)),
  }),
  /** Null is false. */
  flag: (sql: string): Column<boolean> => ({ sql, read: (text) => text === "t" }),
  /** A list as PostgreSQL's JSON; null is an empty one. */
  list: <T>(sql: string): Column<T[]> => ({ sql, read: (text) => JSON.parse(text ?? "[]") as T[] }),
};

/** Columns that are selected together, and read by the names that the program gives them. */
export type SelectList<T> = {
  /** The list, for `select` and `returning`. */
  sql: string;
  /** A row that begins with these columns, by their names. */
  read: (row: Row) => T;
  /** The first of some rows; null where there is none. */
  first: (rows: readonly Row[] | undefined) => T | null;
};

/** The value of a statement that answers one at most: a count, a flag, an id. Null where there is no row. */
export function oneValue(rows: readonly Row[] | undefined): string | null {
  return rows?.[0]?.[0] ?? null;
}

/** A row of a select list, by the names of its columns. */
export type Selected<L> = L extends SelectList<infer T> ? T : never;

/** @param columns each by the name that it is read by */
export function selectList<C extends Columns>(columns: C): SelectList<ValuesOf<C>> {
  const all = Object.entries(columns).map(([name, each]) => {
    return { name, column: typeof each === "string" ? { sql: each, read: (text: string | null) => text } : each };
  });
  const read = (row: Row) =>
    Object.fromEntries(all.map(({ name, column: { read } }, index) => [name, read(row[index] ?? null)])) as ValuesOf<C>;
  return {
    sql: all.map(({ column: { sql } }) => sql).join(", "),
    read,
    first: ([row] = []) => (row === undefined ? null : read(row)),
  };
}

/**
 * SQL: the bytes of these columns' texts in the rows that stand before a row, in an order. Rows that have less than a bound before them are
 * one at least, however long it is. Of a long text PostgreSQL knows its length without reading it.
 */
export function bytesBefore(columns: readonly string[], order: string): string {
  const bytes = ["0", ...columns.map((column) => `coalesce(octet_length(${column}), 0)`)].join(" + ");
  return `sum(${bytes}) over (order by ${order}) - (${bytes})`;
}
