import type { Secrets } from "../platform/encryption/keyring.ts";
import type { FieldErrors } from "../platform/fields/field-reasons.ts";
import type { Field, Input } from "../platform/fields/fields.ts";
import type { Expected, RowState } from "../platform/fields/row-state.ts";
import { entityTag } from "../platform/http/entity-tag.ts";
import { cursorOf, positionOf, type Position } from "../platform/http/lists/cursor.ts";
import { listBody, parsePage, type ItemsInParts, type Query } from "../platform/http/lists/pagination.ts";
import type { RateLimit } from "../platform/http/rates/rate-limit.ts";
import { isId } from "../platform/ids.ts";
import type { Row } from "../platform/postgres/statement.ts";
import type { Walked } from "../platform/reads/walk.ts";
import type { Trace } from "../platform/trace.ts";
import type { Actor } from "./actor.ts";
import type { Deps } from "./deps.ts";
import { errors } from "./errors.ts";

/**
 * One endpoint of the API: it parses, calls a function of the noun's room, and answers. Errors are thrown
 * (src/kit/errors.ts).
 */
export type Endpoint = (deps: Deps, request: ApiRequest) => Promise<Answer>;

/** A request that has passed the checks of doors/api-scope.ts. */
export type ApiRequest = {
  actor: Actor;
  /** The path's parameters by name, as in the URL, decoded once. */
  params: Readonly<Record<string, string>>;
  query: Query;
  /** The body; empty unless it was a JSON object. */
  input: Input;
  /** The If-Match header of a write, as it was sent. */
  ifMatch: string | undefined;
  /** Whether the key has a capability. The door has checked the one that the route needs. */
  may: (capability: string) => boolean;
  /** The key's rate limit, this request included; null without a limit. */
  rate: RateLimit | null;
  /** The trace in the request's headers. */
  trace: Trace | null;
  /** The absolute URL of the path, without its query. */
  url: () => string;
  /** Names parameters of the route's patterns, `custom[KEY]`, that mean nothing here. */
  ignoreParameters: (names: readonly string[]) => void;
  /** Waits until there is memory for an answer of this many bytes (platform/http/outgoing.ts). */
  reserve: (bytes: number) => Promise<void>;
  /**
   * Waits for an event without a place, so that other requests are not blocked (doors/checks.ts). Resolves with false
   * if the wait should end.
   */
  waitWithoutPlace: (wait: (over: AbortSignal) => Promise<void>) => Promise<boolean>;
  /** Waits for the tenant's turn to write this many items, or to send this many pages of changes (docs/sharing.md). */
  waitForTurn: (items: number) => Promise<void>;
};

/** The answer to a request. */
export type Answer = {
  status: number;
  /** The body, or its parts, which are made while they are sent. */
  json: string | AsyncIterable<string>;
  /** The tag of the resource in it. */
  etag?: string;
  /** The contact or address in it. */
  shows?: { type: string; id: string };
  /** Whether it is the stored answer of an earlier request with the same key. */
  isReplayed?: true;
};

/** An answer whose body is whole. */
export type TextAnswer = Answer & { json: string };

/** The member of a body by which a write is only tried. */
export const dryRun: Field = { name: "dry_run", kind: "boolean" };

export function ok(json: Answer["json"]): Answer {
  return { status: 200, json };
}

/** An answer with one resource. @param json the resource */
export function one(status: number, json: string, state: RowState): TextAnswer {
  const body = `{"data":${json}}`;
  return { status, json: body, etag: entityTag(state, body) };
}

/**
 * The maker of answers with one resource of a kind, from its row. An answer may have further members, each behind a
 * comma.
 */
export function answering<S extends Secrets>(json: (row: Row, secrets: S) => string, stateOf: (row: Row) => RowState) {
  return (status: number, row: Row, secrets: S, included: (row: Row) => string = () => ""): TextAnswer =>
    one(status, withMembers(json(row, secrets), included(row)), stateOf(row));
}

/** A resource's JSON with further members. */
export function withMembers(json: string, members: string): string {
  return members === "" ? json : `${json.slice(0, -1)}${members}}`;
}

/** A list that is read with a cursor (docs/contract.md 5.7). */
export type WalkedList = {
  /** The list, with all its filters and its order: cursors belong to it. */
  cursorsOf: readonly unknown[];
  /** The position before all of its rows. */
  beginning: Position;
  /** Throws if the resource in the path is missing, which is reported before an invalid cursor. */
  require?: () => Promise<void>;
  read: (position: Position, perPage: number) => Promise<Walked>;
  /** Rows as JSON. */
  itemsOf: (rows: Row[]) => string[] | ItemsInParts | Promise<string[] | ItemsInParts>;
  /** The most rows of a page, if it has fewer than other lists. */
  perPageMax?: number | undefined;
};

/** The page after the query's `cursor`; null without a cursor: then the page is a numbered one. */
export async function answerBehindCursor(
  { keyring }: Deps,
  { actor, query }: ApiRequest,
  { cursorsOf, beginning, require, read, itemsOf, perPageMax }: WalkedList,
): Promise<Answer | null> {
  const cursor = query.sent("cursor");
  if (cursor === undefined) return null;
  await require?.();
  const secrets = { keyring, tenant: actor.tenant };
  const position = cursor === "" ? beginning : positionOf(cursor, secrets, cursorsOf);
  if (position === null) throw errors.cursorInvalid();
  const { perPage } = parsePage(query, perPageMax);
  const { rows, next } = await read(position, perPage);
  const nextCursor = next === null ? null : cursorOf(next, secrets, cursorsOf);
  return ok(
    listBody(await itemsOf(rows), '{"data":[', `],"next_cursor":${JSON.stringify(nextCursor)},"per_page":${perPage}}`),
  );
}

/** The resource whose id is in the path. Throws resourceMissing if it does not exist. */
export async function found<T>(
  model: string,
  request: Pick<ApiRequest, "params">,
  find: (id: string) => Promise<T | null>,
): Promise<T> {
  const id = idOf(model, request);
  const resource = await find(id);
  if (resource === null) throw errors.resourceMissing(model, id);
  return resource;
}

/**
 * Throws the errors that any write may have; an endpoint throws the further errors of its noun.
 * @param id for the message about a missing resource
 */
export function refuseUnwritten<Written extends { outcome: string; messages?: FieldErrors }>(
  written: Written,
  model: string,
  id: string,
): asserts written is Exclude<Written, { outcome: "missing" | "invalid" | "outdated" }> {
  if (written.outcome === "missing") throw errors.resourceMissing(model, id);
  if (written.outcome === "invalid") throw errors.validationFailed(written.messages ?? {});
  if (written.outcome === "outdated") throw errors.resourceChanged();
}

/**
 * The answer to a deletion. Throws if nothing was deleted.
 * @param exists whether there is such a resource: then it has none of the expected versions
 */
export async function deletionAnswer(
  isDeleted: boolean,
  { model, id, expected }: { model: string; id: string; expected: Expected },
  exists: () => Promise<boolean>,
): Promise<Answer> {
  if (isDeleted) return ok(`{"message":"${model} deleted."}`);
  throw expected !== null && (await exists()) ? errors.resourceChanged() : errors.resourceMissing(model, id);
}

/** The id in a parameter of the path; a text that cannot be one is a missing resource (docs/contract.md 1.4). */
export function idOf(model: string, { params }: Pick<ApiRequest, "params">, parameter = "id"): string {
  const id = params[parameter] ?? "";
  if (!isId(id)) throw errors.resourceMissing(model, id);
  return id;
}
