import type { Database, Reader, Run } from "./database.ts";
import { oneValue, type Call, type Parameter, type Row, type Statement } from "./statement.ts";
import type { TenantId } from "./tenant-id.ts";

/** The parameters of a statement after the tenant: in their order, or by their names if its text has names. */
type StatementParameters = Parameter[] | NamedValues;

/** The parameters as arguments of a function. */
type Arguments<P extends StatementParameters> = P extends Parameter[] ? P : [values: P];

/** The arguments of a query before its parameters: where it runs. */
type OfTenant = [tenant: TenantId, database: Database];
type InTransaction = [run: Run];

/** Runs a statement, and returns what it found. */
type Query<P extends StatementParameters, Where extends unknown[], T> = (
  ...args: [...Where, ...Arguments<P>]
) => Promise<T>;

/** A query that is a step of a transaction. */
export type Step<P extends StatementParameters, T> = Query<P, InTransaction, T>;

/** A query by what it returns of the statement's rows. */
type Returning<P extends StatementParameters, Where extends unknown[] = OfTenant> = {
  /** The first row; null if there is none. `read`: usually that of a select list. */
  first: <T>(read: (row: Row) => T) => Query<P, Where, T | null>;
  /** The only row. `read` gets an empty one if there is none. */
  only: <T>(read: (row: Row) => T) => Query<P, Where, T>;
  all: <T>(read: (row: Row) => T) => Query<P, Where, T[]>;
  /** The first row as PostgreSQL's texts; null if there is none. */
  row: () => Query<P, Where, Row | null>;
  rows: () => Query<P, Where, Row[]>;
  /** A value that is computed from all rows. */
  of: <T>(read: (rows: Row[]) => T) => Query<P, Where, T>;
  /** The only value; null if there is no row. */
  value: () => Query<P, Where, string | null>;
  number: () => Query<P, Where, number>;
  /** The number of rows; of a write, of those that it changed. */
  count: () => Query<P, Where, number>;
  /** Whether there is a row; of a write, whether it changed one. */
  exists: () => Query<P, Where, boolean>;
  nothing: () => Query<P, Where, void>;
};

type Options = Pick<Statement, "isSilent">;

/** A query of one statement, by `database.quick`. `P`: the parameters of the statement. */
export function quickQuery<P extends StatementParameters = []>(name: string, source: string): Returning<P> {
  return ofTenant(name, source, {}, (tenant, { quick }, call) => quick.read(tenant, call.statement, call.parameters));
}

/** The same by `database.slow`. */
export function slowQuery<P extends StatementParameters = []>(name: string, source: string): Returning<P> {
  return ofTenant(name, source, {}, (tenant, { slow }, call) => slow.read(tenant, call.statement, call.parameters));
}

/** The same by `database.write`. */
export function writeQuery<P extends StatementParameters = []>(
  name: string,
  source: string,
  options: Options = {},
): Returning<P> {
  return ofTenant(name, source, options, async (tenant, database, call) => {
    const [rows = []] = await database.write(tenant, [call]);
    return rows;
  });
}

/** The same as a step of a transaction. */
export function stepQuery<P extends StatementParameters = []>(
  name: string,
  source: string,
): Returning<P, InTransaction> {
  const callOf = callsOf<P>(name, source);
  return returning(
    (read) =>
      async (run, ...args) =>
        read(await run(callOf(...args))),
  );
}

/** The same by `database.readShared`, of data that belongs to no tenant. The parameters begin with $1. */
export function sharedQuery<P extends Parameter[] = []>(
  name: string,
  source: string,
): Returning<P, [database: Database]> {
  const callOf = callsOf<P>(name, source);
  return returning((read) => async (database, ...args) => {
    const { statement, parameters } = callOf(...args);
    return read(await database.readShared(statement, parameters));
  });
}

/** Makes the calls of a statement: each is a step of a transaction, or committed together with others. */
export function callsOf<P extends StatementParameters = []>(
  name: string,
  source: string,
  options: Options = {},
): (...args: Arguments<P>) => Call {
  if (source.search(NAME) === -1) {
    const statement: Statement = { name, text: source, ...options };
    return (...args) => ({ statement, parameters: args as Parameter[] });
  }
  const named = { ...namedStatement(name, source), ...options };
  return (...[values]) => callWith(named, values as NamedValues);
}

function ofTenant<P extends StatementParameters>(
  name: string,
  source: string,
  options: Options,
  send: (tenant: TenantId, database: Database, call: Call) => Promise<Row[]>,
): Returning<P> {
  const callOf = callsOf<P>(name, source, options);
  return returning(
    (read) =>
      async (tenant, database, ...args) =>
        read(await send(tenant, database, callOf(...args))),
  );
}

function returning<P extends StatementParameters, Where extends unknown[]>(
  query: <T>(read: (rows: Row[]) => T) => Query<P, Where, T>,
): Returning<P, Where> {
  return {
    first: (read) => query(([row]) => (row === undefined ? null : read(row))),
    only: (read) => query(([row = []]) => read(row)),
    all: (read) => query((rows) => rows.map((row) => read(row))),
    row: () => query(([row]) => row ?? null),
    rows: () => query((rows) => rows),
    of: query,
    value: () => query(oneValue),
    number: () => query((rows) => Number(oneValue(rows))),
    count: () => query((rows) => rows.length),
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

/** The call of a statement with these values. A null value is one; a missing value is an error of the program. */
export function callWith(statement: NamedStatement, values: NamedValues): Call {
  const parameters = statement.parameters.map((name) => {
    const value = values[name];
    if (value === undefined) throw new Error(`${statement.name || "a statement"} has no value of :${name}`);
    return value;
  });
  return { statement, parameters };
}

/** Runs calls within a transaction, in their order. */
export async function runAll(run: Run, calls: readonly Call[]): Promise<Row[][]> {
  const answers: Row[][] = [];
  for (const call of calls) answers.push(await run(call));
  return answers;
}

/** Runs a named statement. */
export async function readNamed(
  tenant: TenantId,
  reader: Reader,
  statement: NamedStatement,
  values: NamedValues,
): Promise<Row[]> {
  return await reader.read(tenant, statement, callWith(statement, values).parameters);
}

/** The texts of all named statements that were made so far, by name, with the names of their parameters. */
export function namedTexts(): ReadonlyMap<string, string> {
  return compiled;
}
