import { BoundedMap } from "../bounded-map.ts";
import { selectList, type Call, type SelectList, type Statement } from "../postgres/statement.ts";
import { METADATA, VALUES_TEXT, valuesText } from "./custom.ts";
import type { Writable } from "./draft.ts";
import { EXTERNAL } from "./external-ids.ts";
import { encryptedFields, type FieldKind, type FieldTable } from "./fields.ts";
import type { Expected } from "./row-state.ts";
import type { Ciphertexts } from "./stored-values.ts";
import type { Values } from "./validation.ts";

/** SQL fragments and parameters from a field table. Names come from our own tables only, never from a request. */

/** `c.name, c.tax_id, ...` */
export function columnsOf(names: readonly string[], alias: string): string {
  return names.map((name) => columnOf(name, alias)).join(", ");
}

/** A selected column: as it is, or the values of custom fields as JSON. */
export function columnOf(name: string, alias: string): string {
  return name === METADATA ? `${valuesText(alias)} as ${name}` : `${alias}.${name}`;
}

export function namesOf(fields: FieldTable): string[] {
  return fields.map(({ name }) => name);
}

/**
 * The encrypted fields of a row as they are stored (Ciphertexts).
 * @param others further columns to read: SQL by name
 */
export function ciphertextsOf(
  fields: FieldTable,
  alias: string,
  others: Readonly<Record<string, string>> = {},
): SelectList<Ciphertexts> {
  const ciphertexts = namesOf(encryptedFields(fields)).map((name) => [name, `${alias}.${name}`]);
  return selectList<Record<string, string>>({ ...others, ...Object.fromEntries(ciphertexts) });
}

/** The number of cached statements, one for each set of fields. Further sets from clients are built each time. */
const REMEMBERED_SETS = 500;

/**
 * Partial updates by id, by a statement for exactly the fields that were sent: one for all of them would compute the
 * folded search text each time (measured: 227 instead of 150 microseconds).
 * @param write gets the SET list for the table `t`, the entries (`r`) to join by `ofEntry`, and the names of the
 *   fields. Its rows begin with the id
 * @param carried further columns of entries, which are no fields
 */
export function partialUpdate(
  name: string,
  noun: Written,
  write: (assignments: string, entries: string, sent: readonly string[]) => string,
  carried: ColumnTypes = new Map(),
): (id: string, values: Values, expected: Expected) => Call {
  const types = writtenTypes(noun);
  const names = [...types.keys()].filter((column) => column !== CHANGED_BY);
  const statements = new BoundedMap<Statement>(REMEMBERED_SETS);
  return (id, values, expected) => {
    const sent = names.filter((field) => field in values);
    const set = `${name}_${maskOf(names, sent)}`;
    const statement = statements.getOrInsertComputed(set, (): Statement => {
      const entries = entriesOf(new Map([...withId(types, [...sent, CHANGED_BY]), ...carried]));
      return { name: set, text: write(assignmentsOf(types, sent), entries, sent), isOneOfMany: true };
    });
    return { statement, parameters: [], entries: [{ ...values, id, expected }], answers: "by id" };
  };
}

/**
 * The row of an entry. The second condition is always true and serves the planner. It estimates a hundred entries, so
 * if tenants are small on average it would read all rows of the tenant instead of looking these up. An equality that it
 * cannot simplify reduces its estimate to one.
 */
export const ROW_OF_ENTRY = "t.id = r.id and r.id = r.id + 0";

/** The same for an entry that may name the versions that the row may have. */
export function ofEntry(version = "updated_at"): string {
  return `${ROW_OF_ENTRY} and ${isExpected(`t.${version}`, "r.expected")}`;
}

/** Whether a row is of one of the expected versions (Expected). @param expected the array of them, as SQL */
export function isExpected(version: string, expected: string): string {
  return `(${expected} is null or ${version} = any(${expected}))`;
}

/**
 * The bits that a number represents exactly: beyond them, two sets would share a number and use each other's statement.
 */
const MASK_BITS = 53;

/**
 * A number for a set of names, with one bit for each, so that its statement has the same name wherever it is made.
 * Throws if there are more names than bits.
 */
export function maskOf(names: readonly string[], set: readonly string[]): number {
  if (names.length > MASK_BITS) throw new Error(`${names.length} names: a number has bits for ${MASK_BITS}`);
  return set.reduce((bits, name) => bits + 2 ** names.indexOf(name), 0);
}

/** `updated_at` and `changed_by` remain unchanged if no stored value changes (docs/contract.md 4.5). */
function assignmentsOf(types: ColumnTypes, names: string[]): string {
  if (names.length === 0) return "updated_at = t.updated_at";
  const assignments = names.map(assignmentOf);
  const ifChanged = (value: string, column: string) =>
    `${column} = case when ${changes(types, names)} then ${value} else t.${column} end`;
  assignments.push(ifChanged("moment_after(t.updated_at)", "updated_at"), ifChanged(`r.${CHANGED_BY}`, CHANGED_BY));
  return assignments.join(", ");
}

/** The assignment of what an entry (`r`) sent for a column of the row (`t`). */
export function assignmentOf(name: string): string {
  const assignment = `${name} = ${writtenValue(name)}`;
  return name === METADATA
    ? `${assignment}, ${VALUES_TEXT} = written_values(t.${VALUES_TEXT}, t.${name}, r.${name})`
    : assignment;
}

/**
 * Whether an entry (`r`) changes any of these columns of the row (`t`). A decimal is compared as text: 12.5 is not
 * 12.50.
 */
export function changes(types: ColumnTypes, names: readonly string[]): string {
  const compared = (value: (name: string) => string) =>
    names.map((name) => `${value(name)}${types.get(name) === "numeric" ? "::text" : ""}`).join(", ");
  return `(${compared((name) => `t.${name}`)}) is distinct from (${compared(writtenValue)})`;
}

/**
 * The value of a row's column (`t`) after an entry (`r`) is written. External ids, and values of custom fields, that
 * were not sent stay.
 */
export function writtenValue(name: string): string {
  return name === EXTERNAL || name === METADATA ? `merge_external_ids(t.${name}, r.${name}::jsonb)` : `r.${name}`;
}

/** Columns by name, with their types. */
export type ColumnTypes = ReadonlyMap<string, string>;

/** The column with the author of a row's last change (writer.ts). */
export const CHANGED_BY = "changed_by";

/** The parts of a noun that its columns depend on. */
type Written = Pick<Writable, "fields" | "external" | "hasCustom">;

/** The columns of a write: the fields, the external ids, and its author. */
export function writtenTypes({ fields, external, hasCustom }: Written): ColumnTypes {
  return new Map([
    ...fields.map(({ name, kind }) => [name, columnType(kind)] as const),
    ...(external === undefined ? [] : [[EXTERNAL, "jsonb"] as const]),
    ...(hasCustom ? [[METADATA, "jsonb"] as const] : []),
    [CHANGED_BY, "text"],
  ]);
}

/** The id, the expected versions and some of the columns: the members of an update's entry. */
export function withId(types: ColumnTypes, names: readonly string[]): ColumnTypes {
  return new Map([
    ["id", "bigint"],
    ["expected", "timestamptz[]"],
    ...names.map((name) => [name, types.get(name) ?? ""] as const),
  ]);
}

/**
 * Entries in one parameter ($2), an array of objects as JSON: cheaper on both sides than an array per column. A missing
 * member is null. Values are texts or scalars, so those of external ids are JSON in a text.
 */
export function entriesOf(types: ColumnTypes): string {
  const columns = [...types].map(([name, type]) => `${name} ${type === "jsonb" ? "text" : type}`);
  return `json_to_recordset($2) as r (${columns.join(", ")})`;
}

/** Inserts a row per entry (Call), in their order, into a table that the alias `t` means. */
export function insertEntries(table: string, types: ColumnTypes): string {
  const inserted = insertedColumns(types, (name, _index, type) => `r.${name}${type === "jsonb" ? "::jsonb" : ""}`);
  return `insert into ${table} as t (tenant_id, ${inserted.names})
  select $1::bigint, ${inserted.values} from ${entriesOf(types)}`;
}

/**
 * The columns of an insert, and their values as SQL. A create sends the values of custom fields as answers write them.
 * @param valueOf of a column, by its place; for the type `text` as it was sent
 */
export function insertedColumns(
  types: ColumnTypes,
  valueOf: (name: string, index: number, type: string) => string,
): { names: string; values: string } {
  const columns = [...types].map(([name, type], index) => ({ name, value: valueOf(name, index, type) }));
  const index = [...types.keys()].indexOf(METADATA);
  if (index !== -1) columns.push({ name: VALUES_TEXT, value: valueOf(METADATA, index, "text") });
  return {
    names: columns.map(({ name }) => name).join(", "),
    values: columns.map(({ value }) => value).join(", "),
  };
}

/** A PostgreSQL type for every value of a kind of field. */
export function columnType(kind: FieldKind): string {
  switch (kind) {
    case "integer":
    case "user":
      return "bigint";
    case "boolean":
    case "date":
      return kind;
    case "decimal":
      return "numeric";
    case "timestamp":
      return "timestamptz";
    default:
      return "text";
  }
}
