import type { Principal } from "./api-keys/principal.ts";
import type { Deps } from "./deps.ts";
import { errors } from "./errors.ts";
import type { Input } from "./platform/fields/fields.ts";
import { isId } from "./platform/ids.ts";
import type { Query } from "./platform/http/pagination.ts";

/** One endpoint of the API: principal, input, decision, statement, answer. Errors are thrown (src/errors.ts). */
export type Endpoint = (deps: Deps, request: ApiRequest) => Promise<Answer>;

/** A request that has passed authentication, the rate limit and the capability check. */
export type ApiRequest = {
  principal: Principal;
  /** The path's id as in the URL, decoded once; empty where the path has none. */
  id: string;
  query: Query;
  /** The body; empty unless it was a JSON object. */
  input: Input;
  /** The absolute URL of the path, without its query. */
  url: () => string;
};

export type Answer = { status: number; json: string };

export function ok(json: string): Answer {
  return { status: 200, json };
}

export function created(json: string): Answer {
  return { status: 201, json };
}

/** The id to look for; what cannot be one is answered as a missing resource (decisions 3). */
export function idOf(model: string, { id }: ApiRequest): string {
  if (!isId(id)) throw errors.resourceMissing(model, id);
  return id;
}
