import type { TenantId } from "./tenant-id.ts";

/**
 * A prepared statement. Its name is unique in the program; an unnamed one is prepared again each time. `isOneOfMany`:
 * clients' input determines the number of its variants, so a connection caches only the latest. `isSilent`: its writes
 * notify no follower (news.ts).
 */
export type Statement = { name: string; text: string; isOneOfMany?: true; isSilent?: true };

export type Parameter = string | number | boolean | null | Buffer | readonly (string | number | boolean | null)[];

/**
 * `entries`: for a statement whose only parameter after the tenant is a JSON array of any length ($2). It returns a row
 * for each entry in their order, or no rows at all. With `by id` it returns a row for each entry that it finds,
 * beginning with the entry's id. Entries of several callers may become one call.
 */
export type Call = {
  statement: Statement;
  parameters: Parameter[];
  entries?: readonly Entry[];
  answers?: "by id";
};

/** Values by column; also an id, as text, and the versions that are expected. */
export type Entry = Readonly<Record<string, string | number | boolean | readonly string[] | null>>;

/** The calls as they are sent: with their tenant. */
export function withTenant(tenant: TenantId, calls: readonly Call[]): Call[] {
  return calls.map((call) => callOfTenant(tenant, call));
}

export function callOfTenant(tenant: TenantId, { statement, parameters, entries, answers }: Call): Call {
  if (entries === undefined) return { statement, parameters: [tenant, ...parameters] };
  // Rows are always locked in the order of the entries, so that no two writers wait for each other.
  const ordered = answers === "by id" ? entries.toSorted(byId) : entries;
  return { statement, parameters: [tenant, JSON.stringify(ordered)] };
}

/** Ids as text without leading zeros. */
function byId({ id: a }: Entry, { id: b }: Entry): number {
  const [one, other] = [String(a), String(b)];
  return one.length - other.length || (one < other ? -1 : 1);
}

/** A row as PostgreSQL's text per column, in the order of the select list. */
export type Row = (string | null)[];

/** A column as SQL, and how its text is read. A plain SQL string is read as PostgreSQL's text, or null. */
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
  /** The first row; null if there is none. */
  first: (rows: readonly Row[] | undefined) => T | null;
};

/** The value of a statement that answers one at most: a count, a flag, an id. Null if there is no row. */
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
 * SQL: the bytes of these columns' texts in the rows before a row, in an order. At least one row is below any bound,
 * whatever its length. PostgreSQL knows the length of a long text without reading it.
 */
export function bytesBefore(columns: readonly string[], order: string): string {
  const bytes = ["0", ...columns.map((column) => `coalesce(octet_length(${column}), 0)`)].join(" + ");
  return `sum(${bytes}) over (order by ${order}) - (${bytes})`;
}
