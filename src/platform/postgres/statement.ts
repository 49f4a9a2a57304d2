/**
 * A prepared statement. Its name is unique in the program; with an empty one it is prepared anew each time.
 * `isOneOfMany`: what clients send decides how many of its kind there are. A connection keeps the latest of them only.
 * `isNoNews`: nobody follows what it writes (news.ts).
 */
export type Statement = { name: string; text: string; isOneOfMany?: true; isNoNews?: true; keeping?: Keeping };

/**
 * The same write, which also keeps the answers of its requests, each with its own row (platform/fields/keeping.ts). `says`: the answer's body
 * where it is made of no row.
 */
export type Keeping = { statement: Statement; says?: string };

export type Parameter = string | number | boolean | null | Buffer | readonly (string | number | boolean | null)[];

/**
 * `entries`: for a statement that takes any number of entries as one JSON array ($2), and has no other parameters. It
 * answers a row for each in their order; or `by id` a row for each that it finds, which begins with the entry's id.
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

/** Columns that are selected together, and read by the names that the program gives them. */
export type SelectList<Name extends string> = {
  /** The list, for `select` and `returning`. */
  sql: string;
  /** A row that begins with these columns, by their names. */
  read: (row: Row) => Record<Name, string | null>;
};

/** @param expressions each column as SQL, by the name that it is read by */
export function selectList<Name extends string>(expressions: Readonly<Record<Name, string>>): SelectList<Name> {
  const names = Object.keys(expressions) as Name[];
  return {
    sql: names.map((name) => expressions[name]).join(", "),
    read: (row) => {
      const entries = names.map((name, index) => [name, row[index] ?? null] as const);
      return Object.fromEntries(entries) as Record<Name, string | null>;
    },
  };
}
