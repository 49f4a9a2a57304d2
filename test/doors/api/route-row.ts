import type { ErrorName } from "../../../src/kit/openapi/reference.ts";
import type { TestServer, TestTenant } from "../../harness.ts";
import type { Made, Model } from "./resources.ts";

/** An endpoint as the tests know it (every-route.ts). */
export type EveryRoute = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  /** Null: every valid key may use it. */
  capability: string | null;
  /** `none`: the route takes no body. Else one that passes validation, and one that does not. */
  body: "none" | { passes: object; fails?: object };
  /** What a request that is let through answers. */
  status: number;
  /** What the same request answers when it comes again, where that is another status. */
  again?: number;
  /** What there must be beside the resource for the answer to have something to show. */
  prepare?: Preparation;
  /**
   * How to cause the errors that only this route has: prepares them, and gives the body, or a GET's query, that is
   * answered so.
   */
  refusals?: Partial<Record<ErrorName, Refusal>>;
  /** Promises of the tests that the route cannot keep, each with the reason. */
  exceptions?: Partial<Record<Exception, string>>;
} & (
  | { on: "none"; models: readonly [] }
  /**
   * The state that the path's resource is in when the route does its work, and the models whose ids the path names, in
   * its order. The last of them is the resource.
   */
  | { on: "live" | "deleted"; models: readonly [Model, ...Model[]] }
);

export type Preparation = (server: TestServer, tenant: TestTenant, made: Made) => Promise<unknown>;
export type Refusal = (server: TestServer, tenant: TestTenant, made: Made) => Promise<object | undefined>;

/**
 * - answersDeleted: a route on live resources answers on a deleted one too, as on a live one.
 * - neverDeleted: nothing deletes the resource.
 * - everyBodyPasses: no body fails validation, so the row has no `fails`.
 */
type Exception = "answersDeleted" | "neverDeleted" | "everyBodyPasses";
