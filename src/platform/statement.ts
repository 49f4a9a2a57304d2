/** A prepared statement. Its name is unique in the program; with an empty one it is prepared anew each time. */
export type Statement = { name: string; text: string };

export type Parameter = string | number | boolean | null | Buffer | readonly (string | number | boolean | null)[];

export type Call = { statement: Statement; parameters: Parameter[] };

/** A row as PostgreSQL's text per column, in the order of the select list. */
export type Row = (string | null)[];
