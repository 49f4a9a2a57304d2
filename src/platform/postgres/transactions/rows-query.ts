import pg from "pg";
import type { Parameter, Row, Statement } from "../statement.ts";

/**
 * A prepared statement whose rows stay as they arrive: PostgreSQL's text, column by column. pg's own Query copies its
 * arguments, looks up a parser for each column and builds an object for each row, none of which is used here.
 */
export class RowsQuery extends pg.Query {
  readonly #rows: Row[] = [];
  /** Replaces pg's own callback, which may wrap it. */
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
 * Stops a connection from requesting a description of its rows, since all its statements are of this kind. The
 * description is more than half of the answer to a look-up, and pg would make an object for each column.
 */
export function skipDescription(client: pg.Client): void {
  Object.assign(client.connection, { describe() {} });
}
