import { parseDate, parseTimestamp } from "../dates.ts";
import { INTEGER_MAX, type Field, type FieldTable } from "../fields/fields.ts";
import { columnType } from "../fields/sql.ts";
import { asSearched, type Query } from "../http/lists/pagination.ts";
import { parseSince } from "../http/lists/since.ts";

/** A condition of a row, and PostgreSQL's type of its parameter. */
export type Condition = { sql: string; type: string };

/**
 * A filter of a list. Its name is the query's parameter and the parameter of its SQL: the filter `status` is
 * `k.status = :status`.
 */
export type ReadFilter = Condition & {
  /** Whether the indexes of the list's orders have its column. Any other filter reads the rows themselves. */
  isIndexed?: true;
  /** The value of the parameter's text; null if it can match nothing. Absent: its value comes from elsewhere. */
  parse?: (text: string) => string | null;
};
export type ReadFilters = Readonly<Record<string, ReadFilter>>;

/** The active filters by name, each with its value. */
export type FilterValues<F extends ReadFilters = ReadFilters> = { readonly [Name in keyof F]?: string | null };

/** The filter by the value of a field, which is also its name. */
export function equal<Name extends string>(fields: FieldTable<Name>, name: Name): ReadFilter {
  const field = fields.find((each) => each.name === name);
  if (field === undefined) throw new Error(`${name} is no field`);
  return { sql: `k.${name} = :${name}`, type: columnType(field.kind), parse: parserOf(field) };
}

function parserOf({ kind, values }: Field): (text: string) => string | null {
  const matching = (pattern: RegExp) => (text: string) => (pattern.test(text) ? text : null);
  const isId = (text: string) => /^\+?[1-9]\d{0,15}$/.test(text) && Number(text) <= INTEGER_MAX;
  switch (kind) {
    case "user":
      return (text) => (isId(text) ? text : null);
    case "integer":
      return matching(/^-?\d{1,15}$/);
    case "decimal":
      return matching(/^-?\d{1,15}(?:\.\d{1,15})?$/);
    case "boolean":
      return matching(/^(?:true|false)$/);
    case "date":
      return parseDate;
    case "timestamp":
      return parseTimestamp;
    default:
      return values === undefined ? asSearched : (text) => (values.includes(text) ? text : null);
  }
}

/** The filter `search`: a part of one of these texts, which are folded (case, accents). */
export function searching(...folded: readonly string[]): ReadFilter {
  // As a sub-select, the pattern is computed once, and not for each field of each row.
  const sql = folded.map((text) => `${text} like (select search_pattern(:search))`).join(" or ");
  return { sql, type: "text", parse: asSearched };
}

/** The filter `words` of pages: each word of a text is a part of one of these texts, which are not folded. */
export function searchingWords(...texts: readonly string[]): ReadFilter {
  const patterns = "select search_pattern(word) from regexp_split_to_table(:words, '\\s+') word";
  return { sql: `fold(concat_ws(' ', ${texts.join(", ")})) like all (array(${patterns}))`, type: "text" };
}

/** The filter by `updated_at`. No index has the column, so that updates stay cheap. */
export const updatedSince: ReadFilter = {
  sql: "k.updated_at >= :updated_since",
  type: "timestamptz",
  parse: parseSince,
};

export function indexed(filter: ReadFilter): ReadFilter {
  return { ...filter, isIndexed: true };
}

/** The filters in a query; null if one of them can match nothing. */
export function parseFilters<F extends ReadFilters>(filters: F, query: Query): FilterValues<F> | null {
  const values: { [Name in keyof F]?: string } = {};
  for (const [name, { parse }] of Object.entries(filters)) {
    const text = query.get(name);
    if (text === undefined || parse === undefined) continue;
    const value = parse(text);
    if (value === null) return null;
    values[name as keyof F] = value;
  }
  return values;
}

/** The conditions of filters of which a null one does not filter. */
export function matches(filters: Readonly<Record<string, Condition>>): string {
  const all = Object.entries(filters).map(([name, { sql, type }]) => `(:${name}::${type} is null or ${sql})`);
  return all.length === 0 ? "true" : all.join("\n      and ");
}

/** The names of the active filters, in the order of the description. */
export function activeIn(filters: ReadFilters, values: FilterValues): string[] {
  return Object.keys(filters).filter((name) => (values[name] ?? null) !== null);
}

/** Whether the indexes of the list's orders have the columns of all active filters. */
export function areIndexed(filters: ReadFilters, values: FilterValues): boolean {
  return activeIn(filters, values).every((name) => filters[name]?.isIndexed === true);
}

/** A value for each filter, null for an inactive one. */
export function allValues(filters: ReadFilters, values: FilterValues): Record<string, string | null> {
  return Object.fromEntries(Object.keys(filters).map((name) => [name, values[name] ?? null]));
}
