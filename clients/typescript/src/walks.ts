import type { ChangeFeedPage, ChangeType } from "./schemas.generated.ts";
import { sleep, type CallOptions, type Query, type Transport } from "./transport.ts";

/** The maximum of the API. */
const PER_PAGE = 200;
const BREATH_MS = 1_000;

/** A page of a list with cursors. */
export type CursorPage<Row> = {
  data: Row[];
  /** Continues behind this page, also in another program; null at the end of the list. */
  next_cursor: string | null;
};

/** The pages of a list with cursors, behind the query's `cursor`; from the beginning without one. */
export async function* cursorPages<Row>(
  transport: Transport,
  path: string,
  { cursor: from = "", ...query }: Query,
  options: CallOptions | undefined,
): AsyncGenerator<CursorPage<Row>, void, undefined> {
  for (let cursor: string | null = typeof from === "object" ? "" : String(from); cursor !== null;) {
    const asked: Query = { per_page: PER_PAGE, ...query, cursor };
    const { data, next_cursor }: CursorPage<Row> = await transport.get<CursorPage<Row>>(path, asked, options);
    yield { data, next_cursor };
    cursor = next_cursor;
  }
}

/**
 * Every row of a list with cursors. Each row that exists throughout comes exactly once, despite creates and deletes.
 */
export async function* byCursor<Row>(
  transport: Transport,
  path: string,
  query: Query,
  options: CallOptions | undefined,
): AsyncGenerator<Row, void, undefined> {
  for await (const { data } of cursorPages<Row>(transport, path, query, options)) yield* data;
}

/**
 * Every row of a list with numbered pages. New rows at its beginning move others to later pages; duplicates are
 * skipped.
 */
export async function* byNumber<Row>(
  transport: Transport,
  path: string,
  identify: (row: Row) => number,
  options: CallOptions | undefined,
): AsyncGenerator<Row, void, undefined> {
  const seen = new Set<number>();
  for (let number = 1; ; number++) {
    const query = { page: number, per_page: PER_PAGE };
    const { data } = await transport.get<{ data: Row[] }>(path, query, options);
    for (const row of data) {
      if (!seen.has(identify(row))) yield row;
      seen.add(identify(row));
    }
    if (data.length < PER_PAGE) return;
  }
}

export type FeedQuery = {
  /** `next` of the last processed page; by default the oldest stored change. */
  after?: string;
  /** Only changes of these types of resources. */
  types?: readonly ChangeType[];
  /** Maximum changes per page; 1,000 by default, which is also the limit. */
  limit?: number;
};

/**
 * The pages of the feed. Store each page's `next` together with the effects of its changes, also for a page without
 * changes.
 * @param wait seconds that a page waits for changes; null ends at the current end of the feed
 */
export async function* feedPages(
  transport: Transport,
  { after = "", types, limit = 1_000 }: Omit<FeedQuery, "types"> & { types?: readonly string[] | undefined },
  wait: number | null,
  options: CallOptions | undefined,
): AsyncGenerator<ChangeFeedPage, void, undefined> {
  const narrowed = { limit, types: types?.join(","), wait: wait ?? undefined };
  for (let page: ChangeFeedPage; ; after = page.next) {
    const asked = performance.now();
    page = await transport.get<ChangeFeedPage>("/changes", { after, ...narrowed }, options);
    yield page;
    if (page.more) continue;
    if (wait === null) return;
    // The server has too many waiting requests, and responds at once.
    const hasWaited = page.data.length > 0 || performance.now() - asked >= BREATH_MS;
    if (!hasWaited) await sleep(BREATH_MS, options?.signal);
  }
}
