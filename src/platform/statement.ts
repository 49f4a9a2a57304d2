/** A prepared statement. Its name is unique in the program; with an empty one it is prepared anew each time. */
export type Statement = { name: string; text: string };

export type Parameter = string | number | boolean | null | Buffer | readonly (string | number | boolean | null)[];

/**
 * `records`: for a statement that takes any number of records as one JSON array ($2), and answers a row for each in their
 * order. It has no other parameters. Those of several callers may become one call.
 */
export type Call = { statement: Statement; parameters: Parameter[]; records?: readonly object[] };

/** A row as PostgreSQL's text per column, in the order of the select list. */
export type Row = (string | null)[];
