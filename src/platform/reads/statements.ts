import { bytesLeftOut, listColumnsOf } from "../fields/long-texts.ts";
import { columnOf, columnsOf } from "../fields/sql.ts";
import { namedStatement, type NamedStatement } from "../postgres/query.ts";
import { rarestStatement, entriesWithValue } from "./custom-values.ts";
import type { ListDescription, ReadDescription } from "./description.ts";
import { matches, type ReadFilters } from "./filters.ts";
import { fewRows, foundText } from "./found.ts";
import { orderText, rangesBehind, type RowOrder } from "./order.ts";
import { walkText } from "./walk.ts";

/** A parameter that limits a list to the rows with a value. The statement selects the ids that have it (`:value`). */
export type ExactLookUp = { name: string; statement: NamedStatement };

export type BySort<Sort extends string> = Readonly<Record<Sort, NamedStatement>>;
/** The statements of a list whose rows are found by values of custom fields. */
type ValueStatements = {
  rarest: NamedStatement;
  /** By the orders that are those of ids alone: rows with a value, behind a position. */
  walk: Partial<Record<string, NamedStatement>>;
  /** A numbered page of the rows with a value, if the list has no further condition. */
  pages: Partial<Record<string, Pages>>;
};
type Pages = { count: NamedStatement; page: NamedStatement };

/** The statements of a list. */
export function listStatements<F extends ReadFilters, Sort extends string>(
  description: ListDescription<F, Sort>,
): {
  /** A numbered page of rows that have these indexed filters. */
  pages: (sort: Sort, active: readonly string[]) => Pages;
  /** A page of rows that have any filters. */
  found: BySort<Sort>;
  few: BySort<Sort>;
  walk: BySort<Sort>;
  walkFiltered: BySort<Sort>;
  walkFew: BySort<Sort>;
  valued: ValueStatements | null;
} {
  const { name, table, filters, orders, parent, live, shown, behind } = description;
  const columns = listedColumns(description);
  const ofParent = parent === undefined ? [] : [`k.${parent.column} = :parent`];
  const ofList = (...more: (string | undefined)[]) =>
    [...ofParent, live, ...more].filter((part) => part !== undefined).join(" and ") || "true";
  const inList = (...more: (string | undefined)[]) => `k.tenant_id = $1 and ${ofList(...more)}`;
  const ofRows = (from: ReadFilters) => [shown, matches(from)].filter((part) => part !== undefined).join(" and ");
  const oneParent = parent === undefined ? "select" : parentText(parent, "");
  const indexedFilters = Object.fromEntries(Object.entries(filters).filter(([, { isIndexed }]) => isIndexed));

  /** The columns that a condition or an order reads. */
  const compared = (order: RowOrder, from: ReadFilters) => {
    const sql = [orderText(order), ofRows(from)].join(" ");
    return [...new Set(["k.id", ...sql.matchAll(/\bk\.\w+/g).map(String)])].join(", ");
  };
  const bySort = (kind: string, textOf: (order: RowOrder) => string): BySort<Sort> =>
    Object.fromEntries(
      Object.entries<RowOrder>(orders).map(([sort, order]) => [
        sort,
        namedStatement(nameOf(kind, sort), textOf(order)),
      ]),
    ) as BySort<Sort>;
  const nameOf = (kind: string, sort: string) =>
    Object.keys(orders).length === 1 ? `${kind}_${name}` : `${kind}_${name}_by_${sort.replace(/^-(.*)/, "$1_down")}`;

  const walkOf = (kind: string, from: ReadFilters, seenOf: (order: RowOrder, columns: string) => string) =>
    bySort(kind, (order) =>
      walkText({ table, columns, order, seen: seenOf(order, compared(order, from)), matches: ofRows(from) }),
    );
  const behindIn = (order: RowOrder, read: string) => {
    const [by, ranges] = [orderText(order), rangesBehind(order)];
    const range = (condition: string) =>
      `select ${read} from ${table} k where ${inList(condition)} order by ${by} limit :scanned`;
    if (behind !== undefined) {
      const position = order.map((_, index) => `:after${index + 1}`).join(", ");
      return `select ${read} from ${behind}(:parent, ${position}, :scanned) behind
      cross join lateral (select k.* from ${table} k where k.tenant_id = $1 and k.id = behind.id limit 1) k`;
    }
    if (ranges.length === 1) return range(ranges.join());
    return `select k.* from (
      ${ranges.map((each) => `(${range(each)})`).join("\n      union all\n      ")}
    ) k order by ${by} limit :scanned`;
  };
  const amongFew = (order: RowOrder, read: string) =>
    `select ${read} from ${fewRows(table, ofList())} k
    where ${rangesBehind(order)
      .map((range) => `(${range})`)
      .join(" or ")} order by ${orderText(order)} limit :scanned`;

  const withValue = (noun: string, read: string, condition: string) =>
    `select ${read} from custom_values v cross join lateral (
      select k.* from ${table} k where ${inList()} and k.id = v.record_id limit 1
    ) k where ${entriesWithValue(noun)}${condition}`;
  const valued = (noun: string): ValueStatements => {
    const orderedById = Object.entries<RowOrder>(orders).flatMap(([sort, [part, ...others]]) =>
      part?.sql === "k.id" && others.length === 0
        ? [{ sort, order: [part], down: part.isDescending ? " desc" : "" }]
        : [],
    );
    return {
      rarest: rarestStatement(noun, name),
      walk: Object.fromEntries(
        orderedById.map(({ sort, order, down }) => {
          const behind = ` and v.record_id ${down === "" ? ">" : "<"} :after1::bigint order by v.record_id${down} limit :scanned`;
          const seen = withValue(noun, compared(order, filters), behind);
          return [
            sort,
            namedStatement(
              nameOf("walk_values_of", sort),
              walkText({ table, columns, order, seen, matches: ofRows(filters) }),
            ),
          ];
        }),
      ),
      pages: Object.fromEntries(
        (shown === undefined && parent === undefined ? orderedById : []).map(({ sort, down }) => [
          sort,
          {
            count: namedStatement(
              `count_values_of_${name}`,
              `select count(*) from custom_values v where ${entriesWithValue(noun)}`,
            ),
            page: namedStatement(
              nameOf("list_values_of", sort),
              `${withValue(noun, columns, "")} order by v.record_id${down} limit :limit offset :offset`,
            ),
          },
        ]),
      ),
    };
  };

  const pages = Object.fromEntries(
    (description.numbered === undefined ? subsets(Object.keys(indexedFilters)) : []).flatMap((active) =>
      Object.entries<RowOrder>(orders).map(([sort, order]): [string, Pages] => {
        const end = active.map((filter) => `_of_${filter}`).join("");
        const listed = inList(shown, ...active.map((filter) => `(${filters[filter]?.sql})`));
        const count = `(select count(*) from ${table} k where ${listed})`;
        return [
          `${sort}${end}`,
          {
            count: namedStatement(
              `${nameOf("count", sort)}${end}`,
              parent ? parentText(parent, count) : `select ${count}`,
            ),
            page: namedStatement(
              `${nameOf("list", sort)}${end}`,
              `select ${columns} from ${table} k where ${listed} order by ${orderText(order)} limit :limit offset :offset`,
            ),
          },
        ];
      }),
    ),
  );
  return {
    pages: (sort, active) => pages[`${sort}${active.map((filter) => `_of_${filter}`).join("")}`] as Pages,
    found: bySort("list_filtered", (order) => {
      const found = `select ${compared(order, {})} from ${table} k where ${inList(ofRows(filters))}`;
      return foundText({ table, columns, order, found, isWhole: false, parent: oneParent });
    }),
    few: bySort("list_few", (order) => {
      const found = `select k.* from ${fewRows(table, ofList(shown))} k where ${matches(filters)}`;
      return foundText({ table, columns, order, found, isWhole: true, parent: oneParent });
    }),
    walk: walkOf("walk", indexedFilters, behindIn),
    walkFiltered: walkOf("walk_filtered", filters, behindIn),
    walkFew: walkOf("walk_few", filters, amongFew),
    valued: description.values === undefined ? null : valued(description.values),
  };
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
