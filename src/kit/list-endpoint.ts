import { CUSTOM, type CustomTable } from "../platform/fields/custom.ts";
import type { PageQuery, Query } from "../platform/http/lists/pagination.ts";
import { pageBody, parsePage } from "../platform/http/lists/pagination.ts";
import type { Database } from "../platform/postgres/database.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";
import { CUSTOM_FILTERS_MAX, isCustomParameter, parseCustom } from "../platform/reads/custom-values.ts";
import type { FilterValues, ReadFilters } from "../platform/reads/filters.ts";
import type { ListReads } from "../platform/reads/reads.ts";
import { NOTHING_BEHIND } from "../platform/reads/walk.ts";
import type { Deps } from "./deps.ts";
import { answerBehindCursor, idOf, ok, type ApiRequest, type Endpoint, type WalkedList } from "./endpoint.ts";
import { errors } from "./errors.ts";
import { lookUp, lookUpsOf, requireSince } from "./external-ids/look-up.ts";

/** A list of the API: its rows, and how they are answered. */
export type ApiList<F extends ReadFilters, Sort extends string> = {
  reads: ListReads<F, Sort>;
  /** The type of its resources, by which external ids are looked up. */
  type: string;
  /** The resource in the path that the list belongs to. */
  parent?: { model: string; parameter: string; require: Require };
  /** The most rows of a page, if it has fewer than other lists. */
  perPageMax?: (query: Query) => number | undefined;
  /** The most memory of a page. */
  bytesOf: (page: PageQuery, query: Query) => number;
  /** Rows as JSON. */
  itemsOf: (deps: Deps, request: ApiRequest) => WalkedList["itemsOf"];
  /** The workspace's fields that the list is narrowed by; without it, it has no such filters. */
  custom?: (tenant: TenantId, database: Database) => Promise<CustomTable>;
  /** The ids of the rows that may have been updated since a time; undefined if the history does not have them all. */
  changedSince?: (tenant: TenantId, database: Database, since: string) => Promise<string[] | undefined>;
};

/** Throws if there is no such resource. */
type Require = (tenant: TenantId, database: Database, id: string) => Promise<void>;

/** A list of the API: filters, an order, and a numbered page or one behind a cursor (docs/contract.md 5). */
export function listEndpoint<F extends ReadFilters, Sort extends string>(list: ApiList<F, Sort>): Endpoint {
  const { reads, parent } = list;
  const lookUps = lookUpsOf(list.type, reads.exact);
  return async (deps, request) => {
    const { database } = deps;
    const { query } = request;
    const { tenant } = request.actor;
    const id = parent && idOf(parent.model, request, parent.parameter);
    const perPageMax = list.perPageMax?.(query);
    const page = parsePage(query, perPageMax);
    await request.reserve(list.bytesOf(page, query));
    const itemsOf = list.itemsOf(deps, request);
    const filters = await filtersOf(list, deps, request);
    const sort = reads.parseSort(query);
    const require = async () => await parent?.require(tenant, database, String(id));
    await requireSince(query, require);
    const found = await lookUp(tenant, database, lookUps, query, require);
    const since = filters?.updated_since ?? null;
    const among =
      found === null && since !== null ? await list.changedSince?.(tenant, database, since) : (found?.ids ?? undefined);
    const asked = filters && { ...(id === undefined ? {} : { parent: id }), filters, sort, among };
    const behind = await answerBehindCursor(deps, request, {
      cursorsOf: [reads.name, id, filters, sort, ...(found?.asked ?? [])],
      beginning: reads.beginning(sort),
      require,
      read: async (position, perPage) =>
        asked === null ? NOTHING_BEHIND : await reads.walk(tenant, database, asked, position, perPage),
      itemsOf,
      perPageMax,
    });
    if (behind !== null) return behind;
    if (asked === null) await require();
    const listed = asked === null ? { rows: [], total: 0 } : await reads.page(tenant, database, asked, page);
    if (listed === null) throw errors.resourceMissing(parent?.model ?? "", String(id));
    const { rows, total } = listed;
    return ok(pageBody({ items: await itemsOf(rows), count: rows.length, total, page, path: request.url(), query }));
  };
}

/** The filters in the query, those by custom fields too; null if one of them can match nothing. */
async function filtersOf<F extends ReadFilters, Sort extends string>(
  { reads, custom }: ApiList<F, Sort>,
  { database }: Deps,
  { actor: { tenant }, query, ignoreParameters }: ApiRequest,
): Promise<FilterValues<F> | null> {
  const filters = reads.parse(query);
  if (custom === undefined || !query.names().some(isCustomParameter)) return filters;
  const { value, matchesNothing, asked, unknown } = parseCustom(await custom(tenant, database), query);
  if (asked.length > CUSTOM_FILTERS_MAX) {
    throw errors.validationFailed({ [CUSTOM]: [{ code: "tooManyItems", bound: CUSTOM_FILTERS_MAX }] });
  }
  ignoreParameters(unknown);
  if (filters === null || matchesNothing) return null;
  return value === null ? filters : { ...filters, custom: value };
}
