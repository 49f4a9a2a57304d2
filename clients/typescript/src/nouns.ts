import { ResourceChangedError } from "./errors.ts";
import type { BatchResponse, Change } from "./schemas.generated.ts";
import { tagOf, type CallOptions, type ChangeOptions, type Transport, type WriteOptions } from "./transport.ts";
import { byCursor, byNumber, cursorPages, type CursorPage } from "./walks.ts";

/** The calls that several nouns have, each as a function of the noun's path. */

/**
 * The path of a resource, or of a path below it. An id must be a positive integer: others would name another path, and
 * DELETE `/companies/undefined` would look like the deletion of a missing company.
 */
export function pathOf(path: string, id: number, below = ""): string {
  if (!Number.isSafeInteger(id) || id < 1) throw new TypeError(`An id is a positive integer, and not ${String(id)}.`);
  return `${path}/${id}${below}`;
}

/** The parameters of a list that `all` accepts. */
export type Filters<Query> = Omit<Query, "page" | "per_page" | "cursor">;

/** The parameters of a list that `pages` accepts. */
export type PagesQuery<Query> = Omit<Query, "page">;

type Creating<Fields, One> = (fields: Fields, options?: WriteOptions) => Promise<One>;

export function creating<Fields extends object, One>(to: Transport, path: string): Creating<Fields, One> {
  return async (fields, options) => (await to.write<{ data: One }>("POST", path, fields, options)).data;
}

type Posting<One> = (id: number, options?: WriteOptions) => Promise<One>;

/** A POST without a body that returns one resource. @param action the end of its path: `/restore` */
export function posting<One>(to: Transport, path: string, action: string): Posting<One> {
  return async (id, options) =>
    (await to.write<{ data: One }>("POST", pathOf(path, id, action), undefined, options)).data;
}

export function deleting(to: Transport, path: string) {
  return async (id: number, options?: ChangeOptions): Promise<void> => {
    await to.write("DELETE", pathOf(path, id), undefined, options);
  };
}

type Single<Details, One, Fields> = {
  get(id: number, options?: CallOptions): Promise<Details>;
  /** Changes only the given fields. */
  update(id: number, fields: Fields, options?: ChangeOptions): Promise<One>;
  /**
   * Changes a resource based on its state: `decide` gets the current state and returns the fields to change. It is
   * called again if the resource was changed meanwhile.
   */
  change(id: number, decide: (now: Details) => Fields | Promise<Fields>, options?: CallOptions): Promise<One>;
};

export function single<Details extends object, One, Fields extends object>(
  to: Transport,
  path: string,
): Single<Details, One, Fields> {
  const get: Single<Details, One, Fields>["get"] = async (id, options) =>
    (await to.get<{ data: Details }>(pathOf(path, id), {}, options)).data;
  const update: Single<Details, One, Fields>["update"] = async (id, fields, options) =>
    (await to.write<{ data: One }>("PATCH", pathOf(path, id), fields, options)).data;
  return {
    get,
    update,
    async change(id, decide, options) {
      for (;;) {
        const now = await get(id, options);
        const ifMatch = tagOf(now);
        if (ifMatch === undefined) throw new TypeError("The answer came without its ETag.");
        try {
          return await update(id, await decide(now), { ...options, ifMatch });
        } catch (error) {
          if (!(error instanceof ResourceChangedError)) throw error;
        }
      }
    },
  };
}

type Deleted<One> = {
  delete(id: number, options?: ChangeOptions): Promise<void>;
  /** Restores a deleted resource. */
  restore: Posting<One>;
};

export function deleted<One>(to: Transport, path: string): Deleted<One> {
  return { delete: deleting(to, path), restore: posting(to, path, "/restore") };
}

type Recorded<Item> = {
  /** Creates and updates up to 1,000 items. An invalid item costs only itself: check `results`. */
  batch(items: readonly Item[], options?: WriteOptions & { dryRun?: boolean }): Promise<BatchResponse>;
  /** The changes of a resource, newest first. */
  history(id: number, options?: CallOptions): AsyncGenerator<Change, void, undefined>;
};

export function recorded<Item extends object>(to: Transport, path: string): Recorded<Item> {
  return {
    batch: async (items, { dryRun = false, ...options } = {}) =>
      await to.write("POST", `${path}/batch`, { items, dry_run: dryRun }, options),
    history: (id, options) => byNumber(to, pathOf(path, id, "/history"), (change: Change) => change.id, options),
  };
}

/** The calls of a noun that is created and listed under its company. */
type OfCompany<Fields, One, Row, Page, Query> = {
  create(company: number, fields: Fields, options?: WriteOptions): Promise<One>;
  /** A numbered page. */
  page(company: number, query?: Omit<Query, "cursor">, options?: CallOptions): Promise<Page>;
  /** Every resource of the company that matches the filters. */
  all(company: number, query?: Filters<Query>, options?: CallOptions): AsyncGenerator<Row, void, undefined>;
  /** The same page by page, each with its `next_cursor`. `cursor` continues an earlier walk. */
  pages(
    company: number,
    query?: PagesQuery<Query>,
    options?: CallOptions,
  ): AsyncGenerator<CursorPage<Row>, void, undefined>;
};

export function ofCompany<Fields extends object, One, Row, Page, Query extends object>(
  to: Transport,
  noun: string,
): OfCompany<Fields, One, Row, Page, Query> {
  const path = (company: number) => pathOf("/companies", company, `/${noun}`);
  return {
    create: async (company, fields, options) => await creating<Fields, One>(to, path(company))(fields, options),
    page: async (company, query, options) => await to.get(path(company), { ...query }, options),
    all: (company, query, options) => byCursor(to, path(company), { ...query }, options),
    pages: (company, query, options) => cursorPages(to, path(company), { ...query }, options),
  };
}
