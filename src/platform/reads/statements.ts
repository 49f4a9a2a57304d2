import { bytesLeftOut, listColumnsOf } from "../fields/long-texts.ts";
import { columnOf, columnsOf } from "../fields/sql.ts";
import { namedStatement, type NamedStatement } from "../postgres/query.ts";
import { countWithValue, rarestStatement, entriesWithValue } from "./custom-values.ts";
import type { ListDescription, ReadDescription } from "./description.ts";
import { matches, type ReadFilters } from "./filters.ts";
import { fewRows, foundText } from "./found.ts";
import type { NumberedStatements } from "./numbered.ts";
import { orderText, rangesBehind, type RowOrder } from "./order.ts";
import { walkText } from "./walk.ts";

/** A parameter that limits a list to the rows with a value. The statement selects the ids that have it (`:value`). */
export type ExactLookUp = { name: string; statement: NamedStatement };

type BySort<Sort extends string> = Readonly<Record<Sort, NamedStatement>>;
/** The statements of a list whose rows are found by values of custom fields. */
type ValueStatements = {
  rarest: NamedStatement;
  /** By the orders that are those of ids alone: rows with a value, behind a position. */
  walk: Partial<Record<string, NamedStatement>>;
  /** A numbered page of the rows with a value, if the list has no further condition. */
  pages: Partial<Record<string, NumberedStatements>>;
};

/** The statements of a list. */
export function listStatements<F extends ReadFilters, Sort extends string>(
  description: ListDescription<F, Sort>,
): {
  /** A numbered page of rows that have these indexed filters. */
  pages: (sort: Sort, active: readonly string[]) => NumberedStatements;
  /** A page of rows that have any filters. */
  found: BySort<Sort>;
  few: BySort<Sort>;
  walk: BySort<Sort>;
  walkFiltered: BySort<Sort>;
  walkFew: BySort<Sort>;
  valued: ValueStatements | null;
} {
  const { table, filters, orders, parent, shown, values: noun } = description;
  const columns = listedColumns(description);
  const oneParent = parent === undefined ? "select" : parentText(parent, "");
  const indexed = indexedFilters(filters);
  const bySort = (kind: string, textOf: (order: RowOrder) => string): BySort<Sort> =>
    Object.fromEntries(
      Object.entries<RowOrder>(orders).map(([sort, order]) => [
        sort,
        namedStatement(nameOf(description, kind, sort), textOf(order)),
      ]),
    ) as BySort<Sort>;
  const walk = (kind: string, from: ReadFilters, rows: typeof rowsBehind) =>
    bySort(kind, (order) => walkOf(description, order, from, (read) => rows(description, order, read)));
  const pages = description.numbered === undefined ? numberedPages(description) : {};
  return {
    pages: (sort, active) => pages[`${sort}${withFilters(active)}`] as NumberedStatements,
    found: bySort("list_filtered", (order) => {
      const all = inList(description, conditionsOf(description, filters));
      const found = `select ${comparedColumns(description, order, {})} from ${table} k where ${all}`;
      return foundText({ table, columns, order, found, isWhole: false, parent: oneParent });
    }),
    few: bySort("list_few", (order) => {
      const found = `select k.* from ${fewRows(table, ofList(description, shown))} k where ${matches(filters)}`;
      return foundText({ table, columns, order, found, isWhole: true, parent: oneParent });
    }),
    walk: walk("walk", indexed, rowsBehind),
    walkFiltered: walk("walk_filtered", filters, rowsBehind),
    walkFew: walk("walk_few", filters, rowsAmongFew),
    valued: noun === undefined ? null : valueStatements(description, noun),
  };
}

/** The name of a statement for one of the list's orders. */
function nameOf({ name, orders }: ReadDescription, kind: string, sort: string): string {
  const isOnly = Object.keys(orders).length === 1;
  return isOnly ? `${kind}_${name}` : `${kind}_${name}_by_${sort.replace(/^-(.*)/, "$1_down")}`;
}

function withFilters(active: readonly string[]): string {
  return active.map((filter) => `_of_${filter}`).join("");
}

function indexedFilters(filters: ReadFilters): ReadFilters {
  return Object.fromEntries(Object.entries(filters).filter(([, { isIndexed }]) => isIndexed));
}

/** The condition of the list's rows `k`, within a tenant. */
function ofList({ parent, live }: ReadDescription, ...more: (string | undefined)[]): string {
  const ofParent = parent === undefined ? undefined : `k.${parent.column} = :parent`;
  return [ofParent, live, ...more].filter((part) => part !== undefined).join(" and ") || "true";
}

function inList(description: ReadDescription, ...more: (string | undefined)[]): string {
  return `k.tenant_id = $1 and ${ofList(description, ...more)}`;
}

/** The conditions that each row is checked for. */
function conditionsOf({ shown }: ReadDescription, from: ReadFilters): string {
  return [shown, matches(from)].filter((part) => part !== undefined).join(" and ");
}

/** The columns that the conditions or an order read. */
function comparedColumns(description: ReadDescription, order: RowOrder, from: ReadFilters): string {
  const sql = [orderText(order), conditionsOf(description, from)].join(" ");
  return [...new Set(["k.id", ...sql.matchAll(/\bk\.\w+/g).map(String)])].join(", ");
}

/** @param seenOf selects these columns of the rows behind a position */
function walkOf(
  description: ReadDescription,
  order: RowOrder,
  from: ReadFilters,
  seenOf: (read: string) => string,
): string {
  return walkText({
    table: description.table,
    columns: listedColumns(description),
    order,
    seen: seenOf(comparedColumns(description, order, from)),
    matches: conditionsOf(description, from),
  });
}

/** Selects these columns of the rows behind a position, by the ranges of an index or by the list's function. */
function rowsBehind(description: ReadDescription, order: RowOrder, read: string): string {
  const { table, behind } = description;
  const by = orderText(order);
  if (behind !== undefined) {
    const position = order.map((_, index) => `:after${index + 1}`).join(", ");
    return `select ${read} from ${behind}(:parent, ${position}, :scanned) behind
      cross join lateral (select k.* from ${table} k where k.tenant_id = $1 and k.id = behind.id limit 1) k`;
  }
  const ranges = rangesBehind(order).map(
    (range) => `select ${read} from ${table} k where ${inList(description, range)} order by ${by} limit :scanned`,
  );
  if (ranges.length === 1) return ranges.join();
  return `select k.* from (
      ${ranges.map((range) => `(${range})`).join("\n      union all\n      ")}
    ) k order by ${by} limit :scanned`;
}

/** The same of the rows that have one of few ids. */
function rowsAmongFew(description: ReadDescription, order: RowOrder, read: string): string {
  const ranges = rangesBehind(order).map((range) => `(${range})`);
  return `select ${read} from ${fewRows(description.table, ofList(description))} k
    where ${ranges.join(" or ")} order by ${orderText(order)} limit :scanned`;
}

/** The same of the rows with a value of a custom field, in the order of `value_entries`. */
function rowsWithValue(description: ReadDescription, noun: string, read: string, condition = ""): string {
  return `select ${read} from value_entries v cross join lateral (
      select k.* from ${description.table} k where ${inList(description)} and k.id = v.record_id limit 1
    ) k where ${entriesWithValue(noun)}${condition}`;
}

function valueStatements(description: ReadDescription, noun: string): ValueStatements {
  const { name, orders, filters, shown, parent, common } = description;
  const orderedById = Object.entries(orders).flatMap(([sort, [part, ...others]]) =>
    part?.sql === "k.id" && others.length === 0
      ? [{ sort, order: [part], down: part.isDescending ? " desc" : "" }]
      : [],
  );
  const walk = orderedById.map(({ sort, order, down }): [string, NamedStatement] => {
    const behind = ` and v.record_id ${down === "" ? ">" : "<"} :after1::bigint order by v.record_id${down} limit :scanned`;
    const text = walkOf(description, order, filters, (read) => rowsWithValue(description, noun, read, behind));
    return [sort, namedStatement(nameOf(description, "walk_values_of", sort), text)];
  });
  const count = countWithValue(noun, common);
  const all = rowsWithValue(description, noun, listedColumns(description));
  const numbered = shown === undefined && parent === undefined ? orderedById : [];
  const pages = numbered.map(({ sort, down }): [string, NumberedStatements] => {
    const page = `${all} order by v.record_id${down} limit :limit offset :offset`;
    return [
      sort,
      {
        count: namedStatement(`count_values_of_${name}`, count),
        page: namedStatement(nameOf(description, "list_values_of", sort), page),
      },
    ];
  });
  return {
    rarest: rarestStatement(noun, name),
    walk: Object.fromEntries(walk),
    pages: Object.fromEntries(pages),
  };
}

/** By an order and a set of indexed filters: their numbered pages. */
function numberedPages(description: ReadDescription): Record<string, NumberedStatements> {
  const { table, filters, orders, parent, shown } = description;
  const columns = listedColumns(description);
  const pages = subsets(Object.keys(indexedFilters(filters))).flatMap((active) =>
    Object.entries(orders).map(([sort, order]): [string, NumberedStatements] => {
      const end = withFilters(active);
      const listed = inList(description, shown, ...active.map((filter) => `(${filters[filter]?.sql})`));
      const count = `(select count(*) from ${table} k where ${listed})`;
      const page = `select ${columns} from ${table} k where ${listed} order by ${orderText(order)} limit :limit offset :offset`;
      return [
        `${sort}${end}`,
        {
          count: namedStatement(
            `${nameOf(description, "count", sort)}${end}`,
            parent ? parentText(parent, count) : `select ${count}`,
          ),
          page: namedStatement(`${nameOf(description, "list", sort)}${end}`, page),
        },
      ];
    }),
  );
  return Object.fromEntries(pages);
}

export function exactLookUps({ table, exact = {} }: ReadDescription): ExactLookUp[] {
  return Object.entries(exact).map(([name, by]) => {
    const text =
      by === true
        ? `select k.id from ${table} k where k.tenant_id = $1 and k.${name} = :value`
        : `select id from ${by} where $1 > 0`;
    return { name, statement: namedStatement(`look_up_${table}_by_${name}`, text) };
  });
}

/** Selects `columns` of the row that a list belongs to; no row if it does not exist. */
function parentText({ table, live }: { table: string; live: string }, columns: string): string {
  return `select ${columns} from ${table} parent where parent.tenant_id = $1 and parent.id = :parent and parent.${live}`;
}

/** The columns of a list's row. If long texts are left out, the last one has their bytes. */
function listedColumns({ members, fields, beside }: ReadDescription): string {
  const names = members.map(({ name }) => name);
  const own = fields === undefined ? columnsOf(names, "k") : listColumnsOf(names, fields, "k");
  return [own, beside, fields && bytesLeftOut(names, fields, "k")].filter((part) => part !== undefined).join(", ");
}

/** Selects rows of a page with all of their texts, by their ids. The page has just read them as live. */
export function wholeStatement({ table, members, beside }: ReadDescription): NamedStatement {
  const columns = members.map(({ name }) => (name === "deleted_at" ? "null" : columnOf(name, "k")));
  const all = [...columns, ...(beside === undefined ? [] : [beside])].join(", ");
  return namedStatement(
    `whole_${table}`,
    `select ${all} from ${table} k where k.tenant_id = $1 and k.id = any(:ids::bigint[])`,
  );
}

function subsets([first, ...others]: readonly string[]): string[][] {
  if (first === undefined) return [[]];
  return subsets(others).flatMap((set) => [set, [first, ...set]]);
}
