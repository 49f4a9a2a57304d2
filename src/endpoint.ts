import type { Actor } from "./actor.ts";
import type { Deps } from "./deps.ts";
import { errors } from "./errors.ts";
import type { Input } from "./platform/fields/fields.ts";
import type { RowState } from "./platform/fields/row-state.ts";
import { entityTag } from "./platform/http/entity-tag.ts";
import type { Query } from "./platform/http/pagination.ts";
import { isId } from "./platform/ids.ts";

/**
 * One endpoint of the API: it parses, calls what the noun's room offers, and answers. Errors are thrown
 * (src/errors.ts).
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
  /** The header that a write may have, as it was sent. */
  ifMatch: string | undefined;
  /** The absolute URL of the path, without its query. */
  url: () => string;
  /** Waits until there is memory for an answer of so many bytes (platform/http/outgoing.ts). */
  reserve: (bytes: number) => Promise<void>;
};

/** `json`: the body, or its parts, which are made as they are sent. `etag`: of a body with one resource. */
export type Answer = { status: number; json: string | AsyncIterable<string>; etag?: string };

export function ok(json: Answer["json"]): Answer {
  return { status: 200, json };
}

/** An answer with one resource. @param json the resource */
export function one(status: 200 | 201 | 202, json: string, state: RowState): Answer {
  const body = `{"data":${json}}`;
  return { status, json: body, etag: entityTag(state, body) };
}

/** The id in a parameter of the path; a text that cannot be one is a missing resource (docs/contract.md 1.4). */
export function idOf(model: string, { params }: ApiRequest, parameter = "id"): string {
  const id = params[parameter] ?? "";
  if (!isId(id)) throw errors.resourceMissing(model, id);
  return id;
}
