import { codePoints, composed, isStorable, trim } from "../../text.ts";
import { splitOnce, uriQuery } from "../url.ts";

/** A request's query string: the last of repeated parameters counts, values trimmed, empty ones absent. */
export type Query = {
  /** The value, or undefined if absent or empty. */
  get(name: string): string | undefined;
  /** The value as it was sent, not trimmed; undefined if absent. */
  sent(name: string): string | undefined;
  /** The query string without `page` and without the repetitions that do not count; the rest as it was sent. */
  readonly othersThanPage: string;
  /** The same without some names. */
  othersThan(...names: readonly string[]): string;
  /** The names that were sent, each once. */
  names(): string[];
  /** The words of `include=a,b`: the further members that the request asks for. Unknown words mean nothing. */
  readonly included: ReadonlySet<string>;
};

/**
 * `page` is returned as requested, however far beyond the last page, up to the largest integer that JSON represents
 * exactly.
 */
export type PageQuery = { page: number; perPage: number; offset: number };

const PER_PAGE_DEFAULT = 50;
const PER_PAGE_MAX = 200;

export function parseQuery(search: string): Query {
  if (search === "") return NO_QUERY;
  const last = new Map<string, string>();
  const isPlain = !/[%+]/.test(search);
  for (const raw of search.split("&")) {
    if (raw === "") continue;
    const name = isPlain ? splitOnce(raw, "=")[0] : parameterOf(raw)[0];
    last.delete(name);
    last.set(name, raw);
  }
  return new SentQuery(last);
}

const INCLUDE = "include";
const NO_WORDS: ReadonlySet<string> = new Set();

/** A class, so that all requests share its methods. */
class SentQuery implements Query {
  /** Each parameter as it was sent, by name: only its last occurrence, at that place. */
  readonly #last: ReadonlyMap<string, string>;
  #included: ReadonlySet<string> | null = null;

  constructor(last: ReadonlyMap<string, string>) {
    this.#last = last;
  }

  get(name: string): string | undefined {
    return trim(this.sent(name) ?? "") || undefined;
  }

  sent(name: string): string | undefined {
    const raw = this.#last.get(name);
    return raw === undefined ? undefined : parameterOf(raw)[1];
  }

  get othersThanPage(): string {
    return this.othersThan("page");
  }

  othersThan(...names: readonly string[]): string {
    return [...this.#last].flatMap(([name, raw]) => (names.includes(name) ? [] : [raw])).join("&");
  }

  names(): string[] {
    return [...this.#last.keys()];
  }

  get included(): ReadonlySet<string> {
    return (this.#included ??= wordsIn(this.get(INCLUDE)));
  }
}

/** Most requests have no query: they share this one. */
const NO_QUERY: Query = new SentQuery(new Map());

function wordsIn(list: string | undefined): ReadonlySet<string> {
  if (list === undefined) return NO_WORDS;
  const words = new Set(list.split(",").map(trim));
  words.delete("");
  return words;
}

function parameterOf(raw: string): [string, string] {
  if (!/[%+]/.test(raw)) {
    const [name, value = ""] = splitOnce(raw, "=");
    return [name, value];
  }
  // After an ampersand, because a leading question mark would be removed although it belongs to the name.
  const [parameter = ["", ""]] = new URLSearchParams(`&${raw}`);
  return parameter;
}

/** A header has no more names than this, and no more characters of each once it is percent-encoded. */
const IGNORED_MAX = 20;
const IGNORED_LENGTH = 64;

/**
 * The parameters that mean nothing, for the header X-Query-Ignored (docs/contract.md 5.3); null without one.
 * @param known the parameters that the route has
 * @param words the words of its `include`; undefined if it has none, or reads it itself
 * @param others names of one of the route's patterns that mean nothing, such as `custom[vip]`
 */
export function ignoredIn(
  query: Query,
  known: ReadonlySet<string>,
  words?: ReadonlySet<string>,
  others: readonly string[] = [],
): string | null {
  const isKnown = (name: string) => known.has(name) || known.has(name.replace(/\[.*\]$/, "[KEY]"));
  const ignored = query.names().filter((name) => !isKnown(name) || others.includes(name));
  const unknown = words === undefined ? [] : [...query.included].filter((word) => !words.has(word));
  const written = (text: string) => encodeURIComponent(text).slice(0, IGNORED_LENGTH);
  const named = [...ignored.map(written), ...unknown.map((word) => `${INCLUDE}=${written(word)}`)].slice(
    0,
    IGNORED_MAX,
  );
  return named.length === 0 ? null : named.join(", ");
}

/** The requested page: page from 1, per_page from 1 to 200; anything else counts as 1 and 50 (docs/contract.md 5.2). */
export function parsePage(query: Query, perPageMax = PER_PAGE_MAX): PageQuery {
  const page = positive(query.get("page")) ?? 1;
  const perPage = Math.min(positive(query.get("per_page")) ?? PER_PAGE_DEFAULT, perPageMax);
  // No tenant has this many rows: a page beyond the largest offset is empty too.
  return { page, perPage, offset: Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER) };
}

/** The requested page, or the last one if there are fewer. */
export function pageAmong({ page, perPage }: PageQuery, total: number): PageQuery {
  const within = Math.max(1, Math.min(page, Math.ceil(total / perPage)));
  return { page: within, perPage, offset: (within - 1) * perPage };
}

function positive(text: string | undefined): number | undefined {
  if (text === undefined || !/^\+?[1-9]\d*$/.test(text)) return undefined;
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}

/** Code points of a `search`: longer ones match nothing (docs/contract.md 5.6). */
const SEARCH_MAX = 255;

/** Whether any stored value can contain the text: the unit separator separates fields in the search index. */
export function isSearchable(text: string): boolean {
  return asSearched(text) !== null;
}

/** The text as a stored one is written that equals or contains it; null if none can. */
export function asSearched(text: string): string | null {
  return isStorable(text) && !text.includes("\x1f") && codePoints(text) <= SEARCH_MAX ? composed(text) : null;
}

/**
 * A page of a list (docs/contract.md 5.1), as one text.
 * @param items the page's resources, each as JSON
 * @param path the list's absolute URL without its query
 */
export function pageJson(items: string[], total: number, page: PageQuery, path: string, query: Query): string {
  return written(items, ...envelope(items.length, total, page, path, query));
}

/** Items that are made one after the other: each is a text, or its parts. */
export type ItemsInParts = AsyncIterable<string | AsyncIterable<string>>;

/** The same for items that are made one after the other: a text, or its parts. */
export function pageBody({
  items,
  count,
  total,
  page,
  path,
  query,
}: {
  items: string[] | ItemsInParts;
  count: number;
  total: number;
  page: PageQuery;
  path: string;
  query: Query;
}): string | AsyncIterable<string> {
  return listBody(items, ...envelope(count, total, page, path, query));
}

/** The JSON of a list: its items between the text before and the text after them. */
export function listBody(
  items: string[] | ItemsInParts,
  before: string,
  after: string,
): string | AsyncIterable<string> {
  return Array.isArray(items) ? written(items, before, after) : parts(items, before, after);
}

/** Joined at once: a text of several parts would be copied again before it is sent. */
function written(items: string[], before: string, after: string): string {
  const last = items.length - 1;
  if (last < 0) return before + after;
  return items.map((item, at) => (at === 0 ? before : "") + item + (at === last ? after : "")).join(",");
}

async function* parts(items: ItemsInParts, before: string, after: string): AsyncGenerator<string> {
  yield before;
  let separator = "";
  for await (const item of items) {
    if (typeof item === "string") {
      yield separator + item;
    } else {
      yield separator;
      yield* item;
    }
    separator = ",";
  }
  yield after;
}

/** The JSON before and after a page's items. */
function envelope(count: number, total: number, page: PageQuery, path: string, query: Query): [string, string] {
  const lastPage = Math.max(1, Math.ceil(total / page.perPage));
  const others = uriQuery(query.othersThanPage);
  const url = (number: number | null) =>
    number === null ? "null" : JSON.stringify(`${path}?${others === "" ? "" : `${others}&`}page=${number}`);
  const from = count === 0 ? "null" : String(page.offset + 1);
  const to = count === 0 ? "null" : String(page.offset + count);
  const next = page.page < lastPage ? page.page + 1 : null;
  const previous = page.page > 1 ? page.page - 1 : null;
  return [
    `{"current_page":${page.page},"data":[`,
    `],"first_page_url":${url(1)},"from":${from},` +
      `"last_page":${lastPage},"last_page_url":${url(lastPage)},"next_page_url":${url(next)},"path":${JSON.stringify(path)},` +
      `"per_page":${page.perPage},"prev_page_url":${url(previous)},"to":${to},"total":${total}}`,
  ];
}
