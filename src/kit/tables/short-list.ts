import type { PageQuery } from "../../platform/http/lists/pagination.ts";
import type { Area } from "../web/frame/layout.ts";
import { html, type Content, type Html } from "../web/html.ts";
import { icon } from "../web/icon.ts";
import { wholeNumber } from "../web/language.ts";
import type { Shown, VisitorRequest } from "../web/page.ts";
import { pageHref, pager } from "../web/pager.ts";
import { sortHead } from "../web/sort-head.ts";
import { rowTable, type RowColumn } from "./rows.ts";

/**
 * A list of things that admins set up, such as keys: without search, filters, views, chosen columns and selection. A
 * list of records, which grows with the work, is a ListOf (list.ts).
 */
export type ShortList<Row> = {
  area: Area;
  title: string;
  /** The button in the heading. */
  add: { href: string; label: string };
  about?: Content;
  rows: readonly Row[];
  /** The number of all rows, and the page that `rows` are; null if they are all. */
  paged: { total: number; page: PageQuery } | null;
  columns: readonly RowColumn<Row>[];
  /** The heading of a row; absent for a list of one table. */
  group?: (row: Row) => string;
  empty: Html;
  below?: Content;
};

/** The page of a list. Its heads sort it if one page has all its rows. Otherwise their order is that of `rows`. */
export function shortList<Row>(
  { query, language }: Pick<VisitorRequest, "query" | "language">,
  list: ShortList<Row>,
): Shown {
  const { area, title, add, about, paged, empty, below } = list;
  const count = list.rows.length;
  const { total, page } = paged ?? { total: count, page: { page: 1, perPage: Math.max(count, 1), offset: 0 } };
  const { rows, columns } = count === total && count > 1 ? sorted(list, query) : list;
  const main = html`<header class="heading">
<h1>${title} <span class="count">${wholeNumber(language, total)}</span></h1>
<a class="button main" href="${add.href}" aria-keyshortcuts="n">${icon("add")}${add.label}</a>
</header>
${about}
${total === 0 ? empty : list.group === undefined ? rowTable(rows, columns) : groupedTables(rows, columns, list.group)}
${pager(page, { count, total }, pageHref(query), language)}
${below}`;
  return { title, area, main };
}

/** A table for each group of rows, below its heading. */
export function groupedTables<Row>(
  rows: readonly Row[],
  columns: readonly RowColumn<Row>[],
  group: (row: Row) => string,
): Html[] {
  return [...Map.groupBy(rows, group)].map(
    ([title, own]) =>
      html`<section class="section"><header><h2>${title}</h2></header>${rowTable(own, columns)}</section>`,
  );
}

function sorted<Row>(
  { rows, columns }: ShortList<Row>,
  query: VisitorRequest["query"],
): Pick<ShortList<Row>, "rows" | "columns"> {
  const current = query.get("sort") ?? "";
  const [sign, asked] = current.startsWith("-") ? [-1, current.slice(1)] : [1, current];
  const [, , , { sort } = {}] = columns.find(([, , , more]) => more?.sort?.[0] === asked) ?? [];
  return {
    rows: sort === undefined ? rows : rows.toSorted((one, other) => compared(sort[1](one), sort[1](other), sign)),
    columns: columns.map((column) => {
      const [kind, head, cell, more] = column;
      if (more?.sort === undefined) return column;
      const [name] = more.sort;
      const th = sortHead(head, [`-${name}`, name], current, query, kind === "number" ? kind : null);
      return [kind, head, cell, { ...more, th }];
    }),
  };
}

/** Rows without a value come last in both directions. */
function compared(a: number | string | null, b: number | string | null, sign: number): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a < b ? -sign : a > b ? sign : 0;
}
