import type { Database, Reader } from "./database.ts";
import { oneValue, type Call, type Parameter, type Row, type Statement } from "./statement.ts";
import type { TenantId } from "./tenant-id.ts";

/** Runs a statement for a tenant. `P`: its parameters after the tenant, in their order. */
type Query<P extends Parameter[], T> = (tenant: TenantId, database: Database, ...parameters: P) => Promise<T>;

/** A query by what it returns of the statement's rows. */
type Returning<P extends Parameter[]> = {
  /** The first row; null if there is none. `read`: usually that of a select list. */
  first: <T>(read: (row: Row) => T) => Query<P, T | null>;
  /** The only row. `read` gets an empty one if there is none. */
  only: <T>(read: (row: Row) => T) => Query<P, T>;
  all: <T>(read: (row: Row) => T) => Query<P, T[]>;
  /** The first row as PostgreSQL's texts; null if there is none. */
  row: () => Query<P, Row | null>;
  rows: () => Query<P, Row[]>;
  /** A value that is computed from all rows. */
  of: <T>(read: (rows: Row[]) => T) => Query<P, T>;
  /** The only value; null if there is no row. */
  value: () => Query<P, string | null>;
  number: () => Query<P, number>;
  /** Whether there is a row; of a write, whether it changed one. */
  exists: () => Query<P, boolean>;
  nothing: () => Query<P, void>;
};

type Options = Pick<Statement, "isSilent">;

/** A query of one statement, by `database.quick`. Its parameters are those of the statement. */
export function quickQuery<P extends Parameter[] = []>(name: string, text: string): Returning<P> {
  const statement: Statement = { name, text };
  return returning((tenant, { quick }, parameters) => quick.read(tenant, statement, parameters));
}

/** The same by `database.slow`. */
export function slowQuery<P extends Parameter[] = []>(name: string, text: string): Returning<P> {
  const statement: Statement = { name, text };
  return returning((tenant, { slow }, parameters) => slow.read(tenant, statement, parameters));
}

/** The same by `database.write`. */
export function writeQuery<P extends Parameter[] = []>(name: string, text: string, options?: Options): Returning<P> {
  const statement: Statement = { name, text, ...options };
  return returning(async (tenant, database, parameters) => {
    const [rows = []] = await database.write(tenant, [{ statement, parameters }]);
    return rows;
  });
}

function returning<P extends Parameter[]>(
  send: (tenant: TenantId, database: Database, parameters: P) => Promise<Row[]>,
): Returning<P> {
  const query =
    <T>(read: (rows: Row[]) => T): Query<P, T> =>
    async (tenant, database, ...parameters) =>
      read(await send(tenant, database, parameters));
  return {
    first: (read) => query(([row]) => (row === undefined ? null : read(row))),
    only: (read) => query(([row = []]) => read(row)),
    all: (read) => query((rows) => rows.map((row) => read(row))),
    row: () => query(([row]) => row ?? null),
    rows: () => query((rows) => rows),
    of: query,
    value: () => query(oneValue),
    number: () => query((rows) => Number(oneValue(rows))),
    exists: () => query((rows) => rows.length > 0),
    nothing: () => query(() => undefined),
  };
}

/**
 * A statement whose parameters have names: `:status` in its text is a number (`$3`) in the text that PostgreSQL gets.
 * The tenant is `$1` everywhere.
 */
export type NamedStatement = Statement & {
  /** The names, in the order of the numbers from $2 on. */
  parameters: readonly string[];
};

/** Values by the names of parameters. */
export type NamedValues = Readonly<Record<string, Parameter | undefined>>;

/** `::text` is a cast. */
const NAME = /(?<![:\w]):([a-z]\w*)/g;

const compiled = new Map<string, string>();

/** @param isPreparedAgain whether it is prepared again each time, because the quickest plan depends on its values */
export function namedStatement(name: string, source: string, { isPreparedAgain = false } = {}): NamedStatement {
  const parameters = [...new Set([...source.matchAll(NAME)].map(([, parameter = ""]) => parameter))];
  compiled.set(name, source);
  const statement = {
    name,
    text: source.replaceAll(NAME, (_, parameter: string) => `$${parameters.indexOf(parameter) + 2}`),
    parameters,
  };
  return isPreparedAgain ? { ...statement, name: "" } : statement;
}

/** The statement with its values. A null value is one; a missing value is an error of the program. */
export function callOf(statement: NamedStatement, values: NamedValues): Call {
  const parameters = statement.parameters.map((name) => {
    const value = values[name];
    if (value === undefined) throw new Error(`${statement.name || "a statement"} has no value of :${name}`);
    return value;
  });
  return { statement, parameters };
}

/** Runs a named statement. */
export async function readNamed(
  tenant: TenantId,
  reader: Reader,
  statement: NamedStatement,
  values: NamedValues,
): Promise<Row[]> {
  return await reader.read(tenant, statement, callOf(statement, values).parameters);
}

/** The texts of all named statements that were made so far, by name, with the names of their parameters. */
export function namedTexts(): ReadonlyMap<string, string> {
  return compiled;
}
