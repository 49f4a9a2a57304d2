import type { ChangeFeedPage, ChangeType } from "./schemas.generated.ts";
import { sleep, type CallOptions, type Query, type Transport } from "./transport.ts";

/** As many as a page may have. */
const PER_PAGE = 200;
const BREATH_MS = 1_000;

/** Every row of a list that has cursors: each that stays comes exactly once, whatever is created and deleted meanwhile. */
export async function* byCursor<Row>(
  transport: Transport,
  path: string,
  query: Query,
  options: CallOptions | undefined,
): AsyncGenerator<Row, void, undefined> {
  type Page = { data: Row[]; next_cursor: string | null };
  for (let cursor: string | null = ""; cursor !== null;) {
    const asked: Query = { per_page: PER_PAGE, ...query, cursor };
    const page: Page = await transport.get<Page>(path, asked, options);
    yield* page.data;
    cursor = page.next_cursor;
  }
}

/** Every row of a list that has numbered pages only. What is new at its beginning moves rows to later pages: they come once all the same. */
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
  /** `next` of the last page that was worked on; absent: from the oldest change that is kept. */
  after?: string;
  /** Changes of these types of resources alone. */
  types?: readonly ChangeType[];
  /** Changes of a page at most, up to 1,000, which is what it is unless told otherwise. */
  limit?: number;
};

/**
 * The pages of the feed. Keep each page's `next` together with what its changes made you do, also of a page without changes.
 * @param wait seconds that a page without changes waits for one; null: the last page that there is now is the end
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
    // A server that has too many to wait for answers at once.
    const hasWaited = page.data.length > 0 || performance.now() - asked >= BREATH_MS;
    if (!hasWaited) await sleep(BREATH_MS, options?.signal);
  }
}
