import type { Database, Reader, Run } from "./database.ts";
import { oneValue, type Call, type Parameter, type Row, type Statement } from "./statement.ts";
import type { TenantId } from "./tenant-id.ts";

/** The parameters of a statement after the tenant: in their order, or by their names if its text has names. */
type Asked = Parameter[] | NamedValues;

/** The arguments of a query before its parameters. */
type OfTenant = [tenant: TenantId, database: Database];
type InTransaction = [run: Run];

type Given<P extends Asked> = P extends Parameter[] ? P : [values: P];

/** Runs a statement, and returns what it found. */
type Query<P extends Asked, V extends unknown[], T> = (...given: [...V, ...Given<P>]) => Promise<T>;

/** A query that is a step of a transaction. */
export type Step<P extends Asked, T> = Query<P, InTransaction, T>;

/** A query by what it returns of the statement's rows. */
type Returning<P extends Asked, V extends unknown[] = OfTenant> = {
  /** The first row; null if there is none. `read`: usually that of a select list. */
  first: <T>(read: (row: Row) => T) => Query<P, V, T | null>;
  /** The only row. `read` gets an empty one if there is none. */
  only: <T>(read: (row: Row) => T) => Query<P, V, T>;
  all: <T>(read: (row: Row) => T) => Query<P, V, T[]>;
  /** The first row as PostgreSQL's texts; null if there is none. */
  row: () => Query<P, V, Row | null>;
  rows: () => Query<P, V, Row[]>;
  /** A value that is computed from all rows. */
  of: <T>(read: (rows: Row[]) => T) => Query<P, V, T>;
  /** The only value; null if there is no row. */
  value: () => Query<P, V, string | null>;
  number: () => Query<P, V, number>;
  /** The number of rows; of a write, of those that it changed. */
  count: () => Query<P, V, number>;
  /** Whether there is a row; of a write, whether it changed one. */
  exists: () => Query<P, V, boolean>;
  nothing: () => Query<P, V, void>;
};

type Options = Pick<Statement, "isSilent">;

/** A query of one statement, by `database.quick`. `P`: the parameters of the statement. */
export function quickQuery<P extends Asked = []>(name: string, source: string): Returning<P> {
  return ofTenant(name, source, {}, (tenant, { quick }, call) => quick.read(tenant, call.statement, call.parameters));
}

/** The same by `database.slow`. */
export function slowQuery<P extends Asked = []>(name: string, source: string): Returning<P> {
  return ofTenant(name, source, {}, (tenant, { slow }, call) => slow.read(tenant, call.statement, call.parameters));
}

/** The same by `database.write`. */
export function writeQuery<P extends Asked = []>(name: string, source: string, options: Options = {}): Returning<P> {
  return ofTenant(name, source, options, async (tenant, database, call) => {
    const [rows = []] = await database.write(tenant, [call]);
    return rows;
  });
}

/** The same as a step of a transaction. */
export function stepQuery<P extends Asked = []>(name: string, source: string): Returning<P, InTransaction> {
  const callWith = callsOf(name, source, {});
  return returning(
    (read) =>
      async (run, ...asked) =>
        read(await run(callWith(asked))),
  );
}

/** The same by `database.readShared`, of data that belongs to no tenant. The parameters begin with $1. */
export function sharedQuery<P extends Parameter[] = []>(
  name: string,
  source: string,
): Returning<P, [database: Database]> {
  const callWith = callsOf(name, source, {});
  return returning((read) => async (database: Database, ...asked) => {
    const { statement, parameters } = callWith(asked);
    return read(await database.readShared(statement, parameters));
  });
}

/** Makes calls of a statement, which are committed together with others. */
export function callMaker<P extends Asked = []>(
  name: string,
  source: string,
  options: Options = {},
): (...given: Given<P>) => Call {
  const callWith = callsOf(name, source, options);
  return (...given) => callWith(given);
}

function ofTenant<P extends Asked>(
  name: string,
  source: string,
  options: Options,
  send: (tenant: TenantId, database: Database, call: Call) => Promise<Row[]>,
): Returning<P> {
  const callWith = callsOf(name, source, options);
  return returning(
    (read) =>
      async (tenant, database, ...asked) =>
        read(await send(tenant, database, callWith(asked))),
  );
}

/** Makes the calls of a statement. */
function callsOf(
  name: string,
  source: string,
  options: Options,
): (asked: readonly (Parameter | NamedValues)[]) => Call {
  if (source.search(NAME) === -1) {
    const statement: Statement = { name, text: source, ...options };
    return (asked) => ({ statement, parameters: asked as Parameter[] });
  }
  const named = { ...namedStatement(name, source), ...options };
  return ([values]) => callOf(named, values as NamedValues);
}

function returning<P extends Asked, V extends unknown[]>(
  query: <T>(read: (rows: Row[]) => T) => Query<P, V, T>,
): Returning<P, V> {
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

/** The statement with its values. A null value is one; a missing value is an error of the program. */
export function callOf(statement: NamedStatement, values: NamedValues): Call {
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
  return await reader.read(tenant, statement, callOf(statement, values).parameters);
}

/** The texts of all named statements that were made so far, by name, with the names of their parameters. */
export function namedTexts(): ReadonlyMap<string, string> {
  return compiled;
}
