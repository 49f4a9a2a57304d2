import type { Position } from "../http/lists/cursor.ts";
import type { PageQuery, Query } from "../http/lists/pagination.ts";
import type { Database } from "../postgres/database.ts";
import { callWith, readNamed, type NamedStatement, type NamedValues } from "../postgres/query.ts";
import { oneValue, type Row } from "../postgres/statement.ts";
import type { TenantId } from "../postgres/tenant-id.ts";
import { askedValuesIn, countedWithValue, idsIn } from "./custom-values.ts";
import type { ListDescription } from "./description.ts";
import { embeddedStatement } from "./embedded.ts";
import { activeIn, allValues, areIndexed, parseFilters, type FilterValues, type ReadFilters } from "./filters.ts";
import { foundPage } from "./found.ts";
import { readNumbered, type ListPage } from "./numbered.ts";
import { afterValues, beginningOf } from "./order.ts";
import { exactLookUps, listStatements, wholeStatement, type ExactLookUp } from "./statements.ts";
import { rowsToRead, walked, type Walked } from "./walk.ts";

/** The rows of a list that are requested. */
export type ListRequest<F extends ReadFilters = ReadFilters, Sort extends string = string> = {
  /** The id of the row that the list belongs to. */
  parent?: string;
  filters: FilterValues<F>;
  sort?: Sort;
  /** The ids that the list is limited to; undefined: it is not. */
  among?: string[] | undefined;
};

/** The readers of a list. */
export type ListReads<F extends ReadFilters = ReadFilters, Sort extends string = string> = {
  name: string;
  filters: F;
  exact: readonly ExactLookUp[];
  parse: (query: Query) => FilterValues<F> | null;
  parseSort: (query: Query) => Sort;
  /** The position before all rows. */
  beginning: (sort?: Sort) => Position;
  /** One page, and the exact number of all matches; null if the row that the list belongs to does not exist. */
  page: (
    tenant: TenantId,
    database: Database,
    request: ListRequest<F, Sort>,
    page: PageQuery,
  ) => Promise<ListPage | null>;
  /** The rows behind a position. */
  walk: (
    tenant: TenantId,
    database: Database,
    request: ListRequest<F, Sort>,
    position: Position,
    perPage: number,
  ) => Promise<Walked>;
  /** Rows of a page with all of their texts. */
  whole: (tenant: TenantId, database: Database, ids: string[]) => Promise<Row[]>;
  /** The statement for the rows of several parents (embedded.ts). */
  embedded: NamedStatement | null;
};

/** The readers of a described list. They make all of its statements, so call it once for each list. */
export function listReads<F extends ReadFilters, Sort extends string>(
  description: ListDescription<F, Sort>,
): ListReads<F, Sort> {
  const { name, filters, parent, orders } = description;
  const [first] = Object.keys(orders) as [Sort];
  const defaultSort = description.byDefault ?? first;
  const source: Source<F, Sort> = { description, statements: listStatements(description), defaultSort };
  const whole = wholeStatement(description);
  return {
    name,
    filters,
    exact: exactLookUps(description),
    parse: (query) => parseFilters(filters, query),
    parseSort: (query) => {
      const sort = query.get("sort") ?? "";
      return Object.hasOwn(orders, sort) ? (sort as Sort) : defaultSort;
    },
    whole: async (tenant, database, ids) => await readNamed(tenant, database.slow, whole, { ids }),
    embedded: parent === undefined ? null : embeddedStatement(description),
    beginning: (sort = defaultSort) => beginningOf(orders[sort]),
    page: async (...args) => await readPage(source, ...args),
    walk: async (...args) => await walkOn(source, ...args),
  };
}

/** A list with its statements. */
type Source<F extends ReadFilters, Sort extends string> = {
  description: ListDescription<F, Sort>;
  statements: ReturnType<typeof listStatements<F, Sort>>;
  defaultSort: Sort;
};

async function readPage<F extends ReadFilters, Sort extends string>(
  source: Source<F, Sort>,
  ...[tenant, database, request, page]: Parameters<ListReads<F, Sort>["page"]>
): Promise<ListPage | null> {
  const { description, statements, defaultSort } = source;
  const { filters, parent } = description;
  const { filters: values, sort = defaultSort } = request;
  const among = request.among ?? (await idsWithValues(source, tenant, database, values));
  const active = activeIn(filters, values);
  const isIndexed = areIndexed(filters, values);
  // Other filters take longer the more rows the list has.
  const reader = isIndexed && (parent ?? among) !== undefined ? database.quick : database.slow;
  const { perPage: limit, offset } = page;
  const all = { ...allValues(filters, values), parent: request.parent, ids: among, limit, offset };
  if (among !== undefined) return foundPage(await readNamed(tenant, reader, statements.few[sort], all));
  if (isIndexed) {
    const byHand = description.numbered?.(tenant, database, { filters: values, sort }, page);
    if (byHand !== undefined) return await byHand;
    return await readNumbered(tenant, reader, statements.pages(sort, active), all);
  }
  const byValue = statements.valued?.pages[sort];
  const [value, ...others] = askedValuesIn(values.custom);
  if (byValue !== undefined && value && others.length === 0 && active.length === 1) {
    const own = { ...all, ...value };
    const [counted, rows = []] = await reader.readAll(tenant, [
      callWith(byValue.count, own),
      callWith(byValue.page, own),
    ]);
    const { total, isDue } = countedWithValue.read(counted?.[0] ?? []);
    if (isDue) description.common?.keepCount(tenant, database, value.value_key, value.value);
    return { rows, total };
  }
  return foundPage(await readNamed(tenant, reader, statements.found[sort], all));
}

async function walkOn<F extends ReadFilters, Sort extends string>(
  source: Source<F, Sort>,
  ...[tenant, database, request, position, perPage]: Parameters<ListReads<F, Sort>["walk"]>
): Promise<Walked> {
  const { description, statements, defaultSort } = source;
  const { filters, shown, scanned, scannedAmong = scanned } = description;
  const { filters: values, sort = defaultSort } = request;
  const among = request.among ?? (await idsWithValues(source, tenant, database, values));
  const isIndexed = areIndexed(filters, values);
  const found = rowsToRead(perPage);
  const most = among === undefined ? scanned : scannedAmong;
  const isFiltered = activeIn(filters, values).length > 0 || shown !== undefined;
  const all = {
    ...allValues(filters, values),
    ...afterValues(position),
    parent: request.parent,
    ids: among,
    found,
    scanned: isFiltered || among !== undefined ? most : found,
  };
  const reader = isFiltered ? database.slow : database.quick;
  const read = async (statement: NamedStatement, own: NamedValues = all) =>
    walked(await readNamed(tenant, reader, statement, own), perPage);
  const { walk, walkFiltered, walkFew } = statements;
  if (among !== undefined) return await read(walkFew[sort]);
  const [value] = askedValuesIn(values.custom);
  const byValue = statements.valued?.walk[sort];
  if (value !== undefined && byValue !== undefined) return await read(byValue, { ...all, ...value });
  const seen = await read((isIndexed ? walk : walkFiltered)[sort]);
  const isFar = isFiltered && isIndexed && seen.next !== null && seen.rows.length < perPage;
  // The matches are far apart: the page is made of all of them, if an index finds them and they are few.
  const few = isFar ? await description.few?.(tenant, database, values) : null;
  return few == null ? seen : await read(walkFew[sort], { ...all, ids: few, scanned: scannedAmong });
}

/** The ids of the rows with the rarest of the filter's values; undefined if they are not few. */
async function idsWithValues<F extends ReadFilters, Sort extends string>(
  { description: { scanned, scannedAmong = scanned }, statements: { valued } }: Source<F, Sort>,
  tenant: TenantId,
  database: Database,
  { custom = null }: FilterValues,
): Promise<string[] | undefined> {
  if (custom === null || valued === null) return undefined;
  const ids = oneValue(await readNamed(tenant, database.slow, valued.rarest, { custom, most: scannedAmong }));
  return ids === null ? undefined : idsIn(ids);
}
