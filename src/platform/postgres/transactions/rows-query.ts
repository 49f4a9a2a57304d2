import pg from "pg";
import type { Parameter, Row, Statement } from "../statement.ts";

/**
 * A prepared statement whose rows stay as they arrive: PostgreSQL's text, column by column. pg's own Query copies what it
 * is given, looks up a parser for each column and builds an object of each row, which nobody here reads.
 */
export class RowsQuery extends pg.Query {
  readonly #rows: Row[] = [];
  /** Takes the place of pg's own, which may wrap it. */
  declare callback: (error: Error | null) => void;

  constructor({ name, text }: Statement, values: Parameter[], done: (error: Error | null, rows: Row[]) => void) {
    super(text);
    Object.assign(this, { name, values, callback: (error: Error | null) => done(error, this.#rows) });
  }

  handleRowDescription(): void {}

  handleDataRow({ fields }: { fields: Row }): void {
    this.#rows.push(fields);
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.callback(null);
  }
}

/**
 * Has a connection whose prepared statements are all of this kind ask for no description of their rows. It is more than half of the
 * answer to a look-up, and would be read into an object for each column.
 */
export function askForNoDescription(client: pg.Client): void {
  Object.assign((client as unknown as { connection: object }).connection, { describe() {} });
}
