import { createHash } from "node:crypto";
import { changeJson } from "../../kit/changes/change-json.ts";
import { changeOf } from "../../kit/changes/change-queries.ts";
import { followedTypes, type ChangeType } from "../../kit/changes/change.ts";
import type { Deps } from "../../kit/deps.ts";
import { ok, type Answer, type ApiRequest, type Endpoint } from "../../kit/endpoint.ts";
import { errors } from "../../kit/errors.ts";
import { steady } from "../../platform/clock.ts";
import type { Secrets } from "../../platform/encryption/keyring.ts";
import { cursorOf, positionOf } from "../../platform/http/lists/cursor.ts";
import { listBody, type Query } from "../../platform/http/lists/pagination.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { Row } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { readFeed, readNewest, type FeedQuery, type FeedPosition } from "./feed-queries.ts";
import { numberChanges } from "./number-changes.ts";
import { capabilityToRead, resourceOfChange } from "./resource-of-change.ts";

export const LIMIT = { min: 1, max: 1_000, default: 100 };
export const WAIT_SECONDS = { min: 0, max: 30, default: 0 };

/** How often a waiting request reads although it was not notified: a notification may be lost. */
const POLL_MS = 2_000;

/** The most changes of a page with their resources. */
export const MOST_WITH_RESOURCES = 200;
/** Resources that are read at the same time. */
const READ_AT_ONCE = 20;

/** A page: its rows, each as JSON and all together, and the end of the answer. */
type AnsweredPage = { rows: Row[]; items: string[]; joined: string; end: string; next: FeedPosition; hasMore: boolean };

/** GET /api/v1/changes (docs/contract.md 18): what changed behind a cursor, now or as soon as there is something. */
export const listChangesEndpoint: Endpoint = async (deps, request) => {
  const { query, actor } = request;
  const after = query.sent("after") ?? "";
  const position = after === "" ? null : positionOfCursor(after, { keyring: deps.keyring, tenant: actor.tenant });
  const withResources = query.included.has("resource");
  const limit = Math.min(integer(query, "limit", LIMIT), withResources ? MOST_WITH_RESOURCES : LIMIT.max);
  const question = { after: position, limit, types: typesOf(query), children: query.get("children") === "true" };
  const waitMs = integer(query, "wait", WAIT_SECONDS) * 1_000;
  const page = await changesBehind(deps, request, question, waitMs);
  const { rows, joined, end } = page;
  if (!withResources || rows.length === 0) return ok(`{"data":[${joined}${end}`);
  await request.waitForTurn(rows.length);
  const parts = changesWithResources(deps, request, page);
  const isShort = rows.length <= READ_AT_ONCE;
  return ok(listBody(isShort ? await Array.fromAsync(parts) : parts, `{"data":[`, end));
};

/** The newest changes, newest first, and the cursor after which later ones come. */
export async function newestOfFeed(
  { database, keyring }: Deps,
  tenant: TenantId,
  asked: { limit: number; types: readonly ChangeType[] | null },
): Promise<Answer> {
  await numberChanges(tenant, database);
  const { rows, end } = await readNewest(tenant, database, asked);
  const next = JSON.stringify(feedCursor(end, { keyring, tenant }));
  return ok(`{"data":[${rows.map(changeJson).join(",")}],"next":${next},"more":false}`);
}

/** Each change with its `resource`, if the key may read resources of its type. Read in groups, while they are sent. */
async function* changesWithResources(
  deps: Deps,
  { actor, may, query }: ApiRequest,
  { rows, items }: AnsweredPage,
): AsyncGenerator<string> {
  for (let at = 0; at < rows.length; at += READ_AT_ONCE) {
    const group = rows.slice(at, at + READ_AT_ONCE).map(async (row, index) => {
      const [change, json] = [changeOf(row), items[at + index] ?? ""];
      if (!may(capabilityToRead(change.type))) return json;
      return `${json.slice(0, -1)},"resource":${await resourceOfChange(deps, actor.tenant, change, query)}}`;
    });
    yield* await Promise.all(group);
  }
}

async function changesBehind(
  { database, keyring, sharing }: Deps,
  { actor: { tenant }, waitWithoutPlace, waitForTurn }: ApiRequest,
  question: FeedQuery,
  waitMs: number,
): Promise<AnsweredPage> {
  const read = async (after: FeedPosition | null, isLeft: boolean) => {
    const page = await readPage(database, { keyring, tenant }, { ...question, after }, isLeft);
    // The page was read once for many requests. Each answer waits for its own turn.
    await waitForTurn(1);
    return page;
  };
  const number = async () => await numberChanges(tenant, database);
  const waiting = sharing.places.followers;
  if (waitMs === 0 || !waiting.tryAcquire(tenant)) {
    // A page may be full of changes that have their positions.
    const page = await read(question.after, false);
    return page.hasMore ? page : await read(question.after, await number());
  }
  const deadline = steady() + waitMs;
  const follower = database.news.follow(tenant);
  try {
    // A follower is notified of its own arrival. So it reads with the others, and they share one read.
    for (let { after } = question; ;) {
      const waits = Math.min(deadline - steady(), POLL_MS);
      const mayWait = await waitWithoutPlace(async (over) => await follower.wait(waits, over));
      const page = await read(after, mayWait && (await number()));
      if (page.rows.length > 0 || page.hasMore || !mayWait || steady() >= deadline) return page;
      after = page.next;
    }
  } finally {
    follower.leave();
    waiting.release(tenant);
  }
}

/**
 * Reads once for all requests of the same page that arrive together. A tenant's followers are often at the same
 * position, and are notified at the same time.
 * @param isLeft whether some changes have no position yet
 */
async function readPage(
  { oneForMany, unattended }: Database,
  secrets: Secrets,
  question: FeedQuery,
  isLeft: boolean,
): Promise<AnsweredPage> {
  const { tenant } = secrets;
  const page = await oneForMany(`read_feed/${tenant}/${JSON.stringify([question, isLeft])}`, async () => {
    const read = await readFeed(tenant, unattended, question);
    if (read === null) return null;
    const { rows, next } = read;
    const hasMore = read.hasMore || isLeft;
    const cursor = feedCursor(next, secrets);
    const end = `],"next":${JSON.stringify(cursor)},"more":${hasMore}}`;
    const items = rows.map(changeJson);
    return { rows, items, joined: items.join(","), end, next, hasMore };
  });
  if (page === null) throw errors.cursorTooOld();
  return page;
}

/**
 * The types that the query names, each once and in one order, so that requests of the same types share a read. Null
 * without types.
 */
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

const CURSORS_OF = ["changes"];
/** In characters of base64url, of six bits each: by chance, one text of 2^48 ends with the right mark. */
const MARK_LENGTH = 8;

/**
 * The cursor of a position in a tenant's feed. A cursor of another tenant or installation cannot be decrypted here. Its
 * mark needs no key, so it distinguishes such a cursor from other texts.
 */
function feedCursor({ position, at }: FeedPosition, secrets: Secrets): string {
  const cursor = cursorOf(JSON.stringify([position, at]), secrets, CURSORS_OF);
  return `${cursor}.${markOf(cursor)}`;
}

/**
 * The position of a cursor. Throws cursorInvalid for another text, and cursorTooOld for a cursor of another feed: a
 * tenant that moved to another installation has a new feed.
 */
function positionOfCursor(text: string, secrets: Secrets): FeedPosition {
  const end = text.lastIndexOf(".");
  const cursor = text.slice(0, Math.max(0, end));
  if (text.slice(end + 1) !== markOf(cursor)) throw errors.cursorInvalid();
  const [position, at] = positionOf(cursor, secrets, CURSORS_OF) ?? [];
  if (typeof position !== "string" || typeof at !== "string") throw errors.cursorTooOld();
  return { position, at };
}

function markOf(cursor: string): string {
  return createHash("sha256").update(`${CURSORS_OF.join()} ${cursor}`).digest("base64url").slice(0, MARK_LENGTH);
}
