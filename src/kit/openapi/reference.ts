import type { HttpError } from "../../platform/http/http-error.ts";
import type { errors } from "../errors.ts";
import type { IncludedWord, Resource, Tag } from "./resource.ts";
import type { Schema } from "./schema.ts";

/**
 * The texts of one route, which the published document has in addition to the route table. Each feature folder has
 * those of its own routes (`*-reference.ts`), and a route without them does not compile.
 */
export type Reference = {
  operationId: string;
  tag: Tag;
  summary: string;
  description: string;
  /** The query's parameters. Those of the path are read from the path. */
  query?: readonly Schema[];
  /** The words of its parameter `include`. */
  includes?: readonly IncludedWord[];
  /** The body of the route, if it has one. */
  body?: BodyReference | undefined;
  success: Success;
  /** The answer if nothing was left to do. */
  done?: Success;
  /** The errors that the route itself may answer. The checks on every request add theirs (request-errors.ts). */
  errors: readonly ErrorReference[];
  /** The kind of resource that the route is about, if it has a field table. */
  resource?: Resource;
};

export type Examples = Readonly<Record<string, { summary: string; value: unknown }>>;

export type BodyReference = {
  schema: Schema;
  /** Valid requests. Tests send the first one if any will do. */
  examples: Examples;
};

export type Success = {
  status: 200 | 201 | 202;
  /** The answer has one resource, and so an `ETag`. */
  tagged?: true;
  description: string;
  schema: Schema;
  /** A page contains its own address, so its examples are made for an example address of the route. */
  examples: Examples | ((url: string) => Examples);
};

/** An error of the table, as answered by one route. */
export type ErrorReference = {
  name: ErrorName;
  /** Its cause, in a few words. */
  summary: string;
  example: HttpError;
  /** The shape of its body, with a name. */
  schema: Schema;
  /** The meaning of its status here, if that is more specific than the status itself. */
  meaning?: string;
};

export type ErrorName = keyof typeof errors;

/** A line of the route table, with the data for the document. */
export type DescribedRoute = {
  method: string;
  path: string;
  /** Null: every valid key may use it. */
  capability: string | null;
  reference: Reference;
};

/** A message that webhooks receive. */
export type EventReference = { name: string; description: string; message: Schema };

/** The document's texts about the API as a whole. */
export type ApiInfo = {
  title: string;
  version: string;
  summary: string;
  description: string;
  /** Further members of OpenAPI's `info`, such as an address for questions. */
  [member: string]: unknown;
  /** The explanation of API keys. */
  key: string;
  /** The messages of webhooks. */
  events: readonly EventReference[];
};
