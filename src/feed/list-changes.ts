import { changeJson } from "../changes/change-json.ts";
import { changeOf } from "../changes/change-queries.ts";
import { followedTypes, type ChangeType } from "../changes/change.ts";
import type { Deps } from "../deps.ts";
import { ok, type ApiRequest, type Endpoint } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { steady } from "../platform/clock.ts";
import type { Secrets } from "../platform/encryption/keyring.ts";
import { includes, listBody, type Query } from "../platform/http/lists/pagination.ts";
import type { Database } from "../platform/postgres/database.ts";
import type { Row } from "../platform/postgres/statement.ts";
import { feedCursor, placeOfFeedCursor } from "./feed-cursor.ts";
import { readFeed, type FeedQuery, type Position } from "./feed-queries.ts";
import { numberChanges } from "./number-changes.ts";
import { capabilityToRead, resourceOfChange } from "./resource-of-change.ts";

export const LIMIT = { min: 1, max: 1_000, default: 100 };
export const WAIT_SECONDS = { min: 0, max: 30, default: 0 };

/** Looks by itself that often: news may be missed. */
const POLL_MS = 2_000;

/** The most changes of a page with their resources. */
export const MOST_WITH_RESOURCES = 200;
/** Resources that are read at the same time. */
const READ_AT_ONCE = 20;

/** A page: its rows, each as JSON and all together, and the end of the answer. */
type Page = { rows: Row[]; items: string[]; joined: string; end: string; next: Position; hasMore: boolean };

/** GET /api/v1/changes (docs/contract.md 18): what changed behind a cursor, now or as soon as there is something. */
export const listChangesEndpoint: Endpoint = async (deps, request) => {
  const { query, actor } = request;
  const after = query.sent("after") ?? "";
  const place = after === "" ? null : placeOfFeedCursor(after, { keyring: deps.keyring, tenant: actor.tenant });
  const withResources = includes(query, "resource");
  const limit = Math.min(integer(query, "limit", LIMIT), withResources ? MOST_WITH_RESOURCES : LIMIT.max);
  const question = { after: place, limit, types: typesOf(query), children: query.get("children") === "true" };
  const waitMs = integer(query, "wait", WAIT_SECONDS) * 1_000;
  const page = await changesBehind(deps, request, question, waitMs);
  const { rows, joined, end } = page;
  if (!withResources || rows.length === 0) return ok(`{"data":[${joined}${end}`);
  await request.takeTurn(rows.length);
  const parts = changesWithResources(deps, request, page);
  const isShort = rows.length <= READ_AT_ONCE;
  return ok(listBody(isShort ? await Array.fromAsync(parts) : parts, `{"data":[`, end));
};

/** Each change with its `resource`, if the key may read resources of its type. Read in groups, while they are sent. */
async function* changesWithResources(
  deps: Deps,
  { actor, may, query }: ApiRequest,
  { rows, items }: Page,
): AsyncGenerator<string> {
  for (let at = 0; at < rows.length; at += READ_AT_ONCE) {
    const group = rows.slice(at, at + READ_AT_ONCE).map(async (row, index) => {
      const [change, json] = [changeOf(row), items[at + index] ?? ""];
      if (!may(capabilityToRead(change.type as ChangeType))) return json;
      return `${json.slice(0, -1)},"resource":${await resourceOfChange(deps, actor.tenant, change, query)}}`;
    });
    yield* await Promise.all(group);
  }
}

async function changesBehind(
  { database, keyring, sharing }: Deps,
  { actor: { tenant }, stepAside, takeTurn }: ApiRequest,
  question: FeedQuery,
  waitMs: number,
): Promise<Page> {
  const read = async (after: Position | null, isLeft: boolean) => {
    const told = await tell(database, { keyring, tenant }, { ...question, after }, isLeft);
    // It was read for many at once, and each is answered in a turn.
    await takeTurn(1);
    return told;
  };
  const number = async () => await numberChanges(tenant, database);
  const waiting = sharing.places.followers;
  if (waitMs === 0 || !waiting.tryTake(tenant)) {
    // A page may be full of changes that have their positions.
    const told = await read(question.after, false);
    return told.hasMore ? told : await read(question.after, await number());
  }
  const deadline = steady() + waitMs;
  const follower = database.news.follow(tenant);
  try {
    // That it has come is news, so that it is answered with the others: they share what is numbered, read and made of it.
    for (let { after } = question; ;) {
      const waits = Math.min(deadline - steady(), POLL_MS);
      const mayWait = await stepAside(async (over) => await follower.heard(waits, over));
      const told = await read(after, mayWait && (await number()));
      if (told.rows.length > 0 || told.hasMore || !mayWait || steady() >= deadline) return told;
      after = told.next;
    }
  } finally {
    follower.leave();
    waiting.give(tenant);
  }
}

/**
 * Reads once for all who ask for the same at once, because followers of a tenant stand at the same place, and are woken together.
 * @param isLeft whether some changes have no position yet
 */
async function tell(
  { oneForMany, unattended }: Database,
  secrets: Secrets,
  question: FeedQuery,
  isLeft: boolean,
): Promise<Page> {
  const { tenant } = secrets;
  const told = await oneForMany(`read_feed/${tenant}/${JSON.stringify([question, isLeft])}`, async () => {
    const page = await readFeed(tenant, unattended, question);
    if (page === null) return null;
    const { rows, next } = page;
    const hasMore = page.hasMore || isLeft;
    const cursor = feedCursor(next, secrets);
    const end = `],"next":${JSON.stringify(cursor)},"more":${hasMore}}`;
    const items = rows.map(changeJson);
    return { rows, items, joined: items.join(","), end, next, hasMore };
  });
  if (told === null) throw errors.cursorTooOld();
  return told;
}

/** The types that the query names, once each and in one order, so that those who ask for the same share what is read; null where it names none. */
function typesOf(query: Query): readonly string[] | null {
  const names = query
    .get("types")
    ?.split(",")
    .map((name) => name.trim());
  if (names === undefined) return null;
  const types = followedTypes.filter((type) => names.includes(type));
  if (types.length < new Set(names).size) throw errors.changeTypeUnknown(followedTypes);
  return types;
}

/** An integer between its bounds: one beyond them becomes the bound, and anything else the default. */
function integer(query: Query, name: string, { min, max, default: usual }: typeof LIMIT): number {
  const text = query.get(name) ?? "";
  return /^[+-]?\d+$/.test(text) ? Math.max(min, Math.min(max, Number(text))) : usual;
}
