import pg from "pg";
import type { Parameter, Row, Statement } from "../statement.ts";

/**
 * A prepared statement whose rows stay as they arrive: PostgreSQL's text, column by column. pg's own Query looks up a
 * parser and builds a row object per column description of each answer, which nobody here reads (6 % of the CPU of a
 * look-up).
 */
export class RowsQuery extends pg.Query {
  readonly #rows: Row[] = [];

  constructor({ name, text }: Statement, values: Parameter[], done: (error: Error | null, rows: Row[]) => void) {
    super({ name, text, values });
    Object.assign(this, { callback: (error: Error | null) => done(error, this.#rows) });
  }

  handleRowDescription(): void {}

  handleDataRow({ fields }: { fields: Row }): void {
    this.#rows.push(fields);
  }
}
