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
    asked: ListRequest<F, Sort>,
    page: PageQuery,
  ) => Promise<ListPage | null>;
  /** The rows behind a position. */
  walk: (
    tenant: TenantId,
    database: Database,
    asked: ListRequest<F, Sort>,
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
  const { name, filters, parent, scanned, scannedAmong = scanned, orders } = description;
  const statements = listStatements(description);
  const whole = wholeStatement(description);
  const [first] = Object.keys(orders) as [Sort];

  /** The ids of the rows with the rarest of the filter's values; undefined if they are not few. */
  const withValues = async (tenant: TenantId, database: Database, { custom = null }: FilterValues) => {
    const { valued } = statements;
    if (custom === null || valued === null) return undefined;
    const ids = oneValue(await readNamed(tenant, database.slow, valued.rarest, { custom, most: scannedAmong }));
    return ids === null ? undefined : idsIn(ids);
  };
  const defaultSort = description.byDefault ?? first;
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

    async page(tenant, database, { parent: of, filters: values, sort = defaultSort, among: ids }, page) {
      const among = ids ?? (await withValues(tenant, database, values));
      const active = activeIn(filters, values);
      const isIndexed = areIndexed(filters, values);
      // Other filters take longer the more rows the list has.
      const reader = isIndexed && (parent ?? among) !== undefined ? database.quick : database.slow;
      const all = { ...allValues(filters, values), parent: of, ids: among, limit: page.perPage, offset: page.offset };
      if (among === undefined && isIndexed) {
        const byHand = description.numbered?.(tenant, database, { filters: values, sort }, page);
        if (byHand !== undefined) return await byHand;
        return await readNumbered(tenant, reader, statements.pages(sort, active), all);
      }
      const byValue = statements.valued?.pages[sort];
      const [value, ...others] = askedValuesIn(values.custom);
      if (among === undefined && byValue !== undefined && value && others.length === 0 && active.length === 1) {
        const own = { ...all, ...value };
        const [counted, rows = []] = await reader.readAll(tenant, [
          callWith(byValue.count, own),
          callWith(byValue.page, own),
        ]);
        const { total, isDue } = countedWithValue.read(counted?.[0] ?? []);
        if (isDue) description.common?.keepCount(tenant, database, value.value_key, value.value);
        return { rows, total };
      }
      const statement = among === undefined ? statements.found[sort] : statements.few[sort];
      return foundPage(await readNamed(tenant, reader, statement, all));
    },

    async walk(tenant, database, { parent: of, filters: values, sort = defaultSort, among: ids }, position, perPage) {
      const among = ids ?? (await withValues(tenant, database, values));
      const active = activeIn(filters, values);
      const isIndexed = areIndexed(filters, values);
      const found = rowsToRead(perPage);
      const whole = among === undefined ? scanned : scannedAmong;
      const isFiltered = active.length > 0 || description.shown !== undefined;
      const all = {
        ...allValues(filters, values),
        ...afterValues(position),
        parent: of,
        ids: among,
        found,
        scanned: isFiltered || among !== undefined ? whole : found,
      };
      const { walk, walkFiltered, walkFew } = statements;
      const reader = isFiltered ? database.slow : database.quick;
      const read = async (statement: NamedStatement, own: NamedValues = all) =>
        walked(await readNamed(tenant, reader, statement, own), perPage);
      if (among !== undefined) return await read(walkFew[sort]);
      const [value] = askedValuesIn(values.custom);
      const byValue = statements.valued?.walk[sort];
      if (value !== undefined && byValue !== undefined) return await read(byValue, { ...all, ...value });
      const seen = await read((isIndexed ? walk : walkFiltered)[sort]);
      const isFar = isFiltered && isIndexed && seen.next !== null && seen.rows.length < perPage;
      // The matches are far apart: the page is made of all of them, if an index finds them and they are few.
      const few = isFar ? await description.few?.(tenant, database, values) : null;
      return few == null ? seen : await read(walkFew[sort], { ...all, ids: few, scanned: scannedAmong });
    },
  };
}
