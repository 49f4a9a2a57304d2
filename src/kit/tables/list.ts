import type { PageQuery, Query } from "../../platform/http/lists/pagination.ts";
import { isCustomParameter } from "../../platform/reads/custom-values.ts";
import type { Deps } from "../deps.ts";
import type { Choice } from "../web/forms/select.ts";
import type { Area } from "../web/frame/layout.ts";
import type { Content, Html } from "../web/html.ts";
import type { InLanguages, Language } from "../web/language.ts";
import type { Downloaded, PageAnswer, PageRequest } from "../web/page.ts";
import type { CellKind } from "./rows.ts";
import type { Selection } from "./selection.ts";

/**
 * A list of a workspace, described as data. Its page, columns, views, file and actions come from this description.
 *
 * Adding a list is one file. It exports a `ListOf` its items, for example `src/desk/contact-list/contact-list.ts`:
 *
 * 1. `read` returns the items of a page and their total. It reads costly values only if their columns are shown.
 * 2. `columns` come behind the name. An optional column is shown to users who choose it.
 * 3. `filters` are parameters of the address beside the search. One with `choices` is a select, another one a text.
 * 4. `file` writes the selected rows, or all that the filters match. `actions` do the same for other effects. A room
 *    above adds its own with `{ ...list, actions: [...] }`.
 * 5. `...listPages(list)` in `src/doors/pages.ts` adds its addresses, and `lists` there its views.
 *    `test/doors/pages/every-page.ts` needs a row for each address.
 */
export type ListOf<Item> = {
  /** Its address without the slash, its place in the navigation, and the id of its part of the page. */
  name: Area;
  /** Parameters that its address always has. */
  fixed?: Readonly<Record<string, string>>;
  words: InLanguages<ListWords>;
  columns: readonly ListColumn<Item>[];
  filters: readonly Filter[];
  /** The first is the order without a parameter. */
  sorts: readonly [string, ...string[]];
  /** The orders that successive clicks on the head of the name choose. */
  nameSorts?: readonly [string, ...string[]];
  /** The choices of filters, and of the fields of actions. */
  choices(this: void, deps: Deps, request: PageRequest): Promise<Choices>;
  /** @param shown the names of the columns that are shown */
  read(this: void, deps: Deps, request: PageRequest, shown: ReadonlySet<string>): Promise<ListedItems<Item>>;
  /** Whether the filters of a query can match anything. */
  isMeaningful?(this: void, query: Query): boolean;
  /** This list with what the workspace adds to it: columns and filters of its own fields. */
  ofWorkspace?(this: void, list: ListOf<Item>, deps: Deps, request: PageRequest): Promise<ListOf<Item>>;
  title(this: void, item: Item, request: PageRequest, shown: ReadonlySet<string>): Title;
  empty(this: void, request: PageRequest, isNarrowed: boolean): Html;
  /** That there may be more items than `total`, and how to find them; for a list that may be cut. */
  more?(this: void, request: PageRequest, total: number): string;
  /** The words for all that can be selected of a list that is cut; null if actions reach all that match. */
  reached?(this: void, request: PageRequest, total: number): string | null;
  /** The button in the heading. */
  main?(this: void, request: PageRequest): Html;
  /** A control at the end of each row. */
  rowAction?: {
    label(this: void, request: PageRequest): string;
    control(this: void, item: Item, request: PageRequest): Html;
  };
  /** Links below the list. */
  foot?(this: void, request: PageRequest): Html;
  /** Without it the rows of the list cannot be selected. */
  file?(this: void, deps: Deps, request: PageRequest, selection: Selection): Downloaded;
  /** Actions on selected rows. The first one is the main one. */
  actions?: readonly SelectionAction[];
  /** An amount of each row. The selection shows their sum by currency, and the list `sums` of all of its items. */
  sum?(this: void, item: Item, request: PageRequest): Money | null;
};

export type Money = { amount: string; currency: string };

/** An action on selected rows: the last part of its address, its fields, and its effect. */
export type SelectionAction = {
  path: string;
  for?: "admins";
  /** Whether the list offers it; by default it does. */
  isOffered?(this: void, choices: Choices): boolean;
  label(this: void, language: Language): string;
  fields?(this: void, request: PageRequest, choices: Choices): Html;
  act(this: void, deps: Deps, request: PageRequest, selection: Selection): Promise<PageAnswer>;
};

export type ListWords = {
  title: string;
  search: string;
  /** The names of columns, filters and their choices. */
  labels: Readonly<Record<string, string>>;
  /** By sort order; a list with one order has none. */
  sorts: Readonly<Record<string, string>>;
};

export type ListColumn<Item> = {
  name: string;
  /** The orders that successive clicks on its head choose. */
  sorts?: readonly [string, ...string[]];
  /** `text` by default. */
  kind?: CellKind;
  /** Whether it is hidden until a user chooses it. */
  isOptional?: true;
  /** Whether telephones show it only in a list sorted by it. */
  isMinor?: true;
  cell(this: void, item: Item, request: PageRequest): Content;
  /** The title of its cell. */
  hint?(this: void, item: Item, request: PageRequest): string | null;
};

/**
 * `isSeldom`: it is in the menu of filters. `isOfAddress`: only addresses set it, and then the form has it too.
 * `shownElsewhere`: values that the page shows without a chip.
 */
export type Filter = { name: string; isSeldom?: true; isOfAddress?: true; shownElsewhere?: readonly string[] };
export type Choices = Readonly<Record<string, readonly Choice[]>>;

/** The name of an item, without a link if there is no page of it. `after`: why a search found it. */
export type Title = { id: string; name: string; href: string | null; shown: Content; after?: Content };

/** The sums of a column by currency. `isMore`: they are lower bounds. */
export type ColumnSums = { column: string; amounts: readonly Money[]; isMore: boolean };

/**
 * `isCut`: there may be more than `total`, which are not listed. `sums`: by currency, of all `total` items.
 * `columnSums`: of all that match. `instead`: why there are no items, whatever the filters match.
 */
export type ListedItems<Item> = {
  items: readonly Item[];
  total: number;
  isCut: boolean;
  page: PageQuery;
  sums?: readonly Money[];
  columnSums?: readonly ColumnSums[];
  instead?: Html;
};

/** Any list, for what does not depend on its items. */
export type AnyList = Pick<ListOf<never>, "name" | "fixed" | "filters" | "sorts" | "words" | "isMeaningful" | "file">;

/** The order of a query. */
export function sortIn({ sorts }: Pick<AnyList, "sorts">, query: Query): string {
  return sorts.find((sort) => sort === query.get("sort")) ?? sorts[0];
}

/** The parameters that narrow a list, in the order in which its address has them. */
export function filterNames({ filters }: Pick<AnyList, "filters">): string[] {
  return ["search", ...filters.map(({ name }) => name)];
}

/** Whether a filter leaves something out, beside the search. */
export function isNarrowed({ filters }: Pick<AnyList, "filters">, query: Query): boolean {
  return filters.some((filter) => isChip(filter, query));
}

/** Whether a filter is active, and the page does not show it elsewhere. */
export function isChip({ name, shownElsewhere = [] }: Filter, query: Query): boolean {
  const value = query.get(name);
  return value !== undefined && !shownElsewhere.includes(value);
}

/** The filters and the order of a query in one form: two addresses of the same list have the same. */
export function filtersText(list: Pick<AnyList, "filters" | "sorts">, query: Query): string {
  const sort = sortIn(list, query);
  // The workspace's own fields are not known here.
  const own = query.names().filter(isCustomParameter).toSorted();
  const entries = [...new Set([...filterNames(list), ...own])].flatMap((name) => {
    const value = query.get(name);
    return value === undefined ? [] : [[name, value]];
  });
  return new URLSearchParams([...entries, ...(sort === list.sorts[0] ? [] : [["sort", sort]])]).toString();
}
