import type { ErrorReference, Examples } from "./reference.ts";
import { sharedErrors } from "./request-errors.ts";
import { nameOf, type Schema } from "./schema.ts";

/** A successful answer. */
export function response(
  status: number,
  description: string,
  schema: Schema,
  examples: Examples,
  headers: Record<string, Schema> = {},
): Schema {
  const all = { ...headersOf(status), ...headers };
  return { description, headers: all, content: { "application/json": { schema, examples } } };
}

/** The answer to a caller that already has the current state. */
export function notModified(): Schema {
  return { description: "It is as the caller has it.", headers: { ...headersOf(304), ...tagHeader } };
}

/** The header of an answer that carries one resource. */
export const tagHeader: Record<string, Schema> = { ETag: { $ref: "#/components/headers/ETag" } };

/** The header of an answer that may be the stored one of an earlier write. */
export const replayedHeader: Record<string, Schema> = {
  "Idempotency-Replayed": { $ref: "#/components/headers/Idempotency-Replayed" },
};

/** Error answers by status; answers that are the same everywhere are references. */
export function errorResponses(errors: readonly ErrorReference[]): Record<string, Schema> {
  const byStatus = Map.groupBy(errors, ({ example }) => example.status);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => {
      const component = group.every((error) => sharedErrors.includes(error)) ? COMPONENTS[status] : undefined;
      return [status, component === undefined ? errorResponse(group) : { $ref: `#/components/responses/${component}` }];
    }),
  );
}

/** The answers that are the same for every route. */
export function sharedResponses(): Record<string, Schema> {
  const byStatus = Map.groupBy(sharedErrors, ({ example }) => example.status);
  return Object.fromEntries(
    Object.entries(COMPONENTS).map(([status, name]) => [name, errorResponse(byStatus.get(Number(status)) ?? [])]),
  );
}

type Header = { description: string; required?: boolean; schema: Schema; example: string | number };

/** The headers of answers, by their names. A description says when a header that is not `required` is present. */
export const headers: Record<string, Header> = {
  "X-Request-Id": {
    description: "The request's id in the server's log: the caller's own X-Request-Id where that is a plain word.",
    required: true,
    schema: { type: "string", pattern: String.raw`^[\w.-]{1,128}$` },
    example: "0b8c1f7e-4c57-4d7a-9a53-0d5f6f2f0a11",
  },
  "Server-Timing": {
    description: "Milliseconds that the answer took, and of these the ones in which it waited for the database.",
    required: true,
    schema: { type: "string", pattern: String.raw`^db;dur=\d+(?:\.\d+)?, total;dur=\d+(?:\.\d+)?$` },
    example: "db;dur=0.82, total;dur=1.4",
  },
  traceparent: {
    description:
      "There where the request had a well-formed one (W3C Trace Context): its trace, under an id of our own.",
    schema: { type: "string", pattern: "^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$" },
    example: "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01",
  },
  "X-RateLimit-Limit": {
    description: "Requests per minute that the key may make. Absent where no limit is set.",
    schema: { type: "integer", minimum: 1 },
    example: 6000,
  },
  "X-RateLimit-Remaining": {
    description: "Requests left in the current minute. Absent where no limit is set.",
    schema: { type: "integer", minimum: 0 },
    example: 5999,
  },
  "RateLimit-Policy": {
    description:
      "The same as draft-ietf-httpapi-ratelimit-headers-11 has it: `q` requests in `w` seconds. Absent where no limit is set.",
    schema: { type: "string", pattern: String.raw`^"default";q=\d+;w=60$` },
    example: '"default";q=6000;w=60',
  },
  RateLimit: {
    description: "Likewise: `r` requests are left in the next `t` seconds. Absent where no limit is set.",
    schema: { type: "string", pattern: String.raw`^"default";r=\d+;t=\d+$` },
    example: '"default";r=5999;t=60',
  },
  "X-RateLimit-Reset": {
    description: "When the current minute ends, in Unix seconds.",
    required: true,
    schema: { type: "integer", minimum: 0 },
    example: 1_795_166_160,
  },
  Link: {
    description: "The page about the error: its cause, its remedy, and whether to retry.",
    required: true,
    schema: { type: "string", pattern: '^<[^>]+>; rel="help"$' },
    example: '</docs/errors/validation_failed>; rel="help"',
  },
  "Retry-After": {
    description: "Seconds to wait before trying again.",
    required: true,
    schema: { type: "integer", minimum: 1 },
    example: 42,
  },
  "X-Body-Ignored": {
    description: "There where the body was no JSON object, and so counted as empty.",
    schema: { type: "string", const: "not a JSON object" },
    example: "not a JSON object",
  },
  "X-Query-Ignored": {
    description: "The parameters of the query that mean nothing here, percent-encoded. Absent where every one counts.",
    schema: { type: "string", pattern: String.raw`^[^\s,]+(?:, [^\s,]+)*$` },
    example: "tax_number, per_pages",
  },
  "X-Merged-Into": {
    description: "The resource that the missing one was merged into, if it was merged.",
    schema: { type: "integer", minimum: 1 },
    example: 61,
  },
  "Accept-Encoding": {
    description: "The encodings that a request's body may have.",
    required: true,
    schema: { type: "string" },
    example: "gzip, identity",
  },
  ETag: {
    description: "A strong tag of the resource's state, and of the answer's: for If-Match and If-None-Match.",
    required: true,
    schema: { type: "string", pattern: '^"[^"]+"$' },
    example: '"61-gyq2lyzvk8-kqYvT2ZJ4E0bS1xWm3dQ7n"',
  },
  "Idempotency-Replayed": {
    description: "There where the request had been done before: the answer is the first one's.",
    schema: { type: "string", const: "true" },
    example: "true",
  },
  Allow: {
    description: "The methods of the path.",
    required: true,
    schema: { type: "string" },
    example: "GET, POST, HEAD, OPTIONS",
  },
  "WWW-Authenticate": {
    description: "The scheme to authenticate with.",
    required: true,
    schema: { type: "string", const: "Bearer" },
    example: "Bearer",
  },
};

const COMPONENTS: Record<number, string> = {
  400: "BadRequest",
  401: "Unauthenticated",
  405: "MethodNotAllowed",
  413: "PayloadTooLarge",
  415: "UnsupportedEncoding",
  429: "RateLimited",
  500: "ServerError",
  503: "Unavailable",
};

const DESCRIPTIONS: Record<number, string> = {
  400: "The body could not be read: it does not unpack, or comes in very many very short chunks.",
  401: "Authentication failed.",
  403: "Authenticated, but not allowed.",
  404: "There is no such resource, or it belongs to another tenant.",
  405: "What any other method on this path gets.",
  409: "What is stored already is in the way.",
  412: "The resource is in none of the states whose tags `If-Match` has. Nothing was changed.",
  413: "The body is larger than 1 MiB, or 8 MiB of a batch.",
  415: "The body's Content-Encoding is neither gzip nor identity.",
  422: "The request is well-formed, but cannot be carried out.",
  429: "Too many requests in this minute, by this key or (failed authentications) from this address.",
  500: "Something unexpected happened. The server's log has it under the X-Request-Id.",
  503: "The database is away or overloaded. Try again later.",
};

/** The errors of one status. Their own description is used if they say what the status means here. */
function errorResponse(group: readonly ErrorReference[]): Schema {
  const status = group[0]?.example.status ?? 500;
  const meanings = [...new Set(group.flatMap(({ meaning }) => meaning ?? []))];
  const description = meanings.length > 0 ? meanings.join(" ") : (DESCRIPTIONS[status] ?? "Refused.");
  const shapes = [...new Map(group.map(({ schema }) => [nameOf(schema), schema])).values()];
  const examples = group.map(({ name, summary, example }) => {
    return [name, { summary, value: JSON.parse(example.json) as unknown }] as const;
  });
  const [shape = {}] = shapes;
  const all = shapes.length > 1 ? { anyOf: shapes } : shape;
  const help = Object.fromEntries([headerNamed("Link")]);
  const own = { "X-Error-Code": codeHeader(group), ...help, ...waitHeader(status, group), ...mergedHeader(group) };
  return response(status, description, all, Object.fromEntries(examples), own);
}

/** For a status that does not always include the time to wait. */
function waitHeader(status: number, group: readonly ErrorReference[]): Record<string, Schema> {
  const says = group.some(({ example }) => "retry-after" in example.headers);
  if (!says || byStatus[status]?.includes("Retry-After") === true) return {};
  const { schema, example } = headers["Retry-After"] as Header;
  return { "Retry-After": { description: "Seconds to wait, where waiting helps.", schema, example } };
}

function mergedHeader(group: readonly ErrorReference[]): Record<string, Schema> {
  const says = group.some(({ example }) => "x-merged-into" in example.headers);
  return says ? Object.fromEntries([headerNamed("X-Merged-Into")]) : {};
}

/** The codes of one status's errors: more may be added, as errors may. */
function codeHeader(group: readonly ErrorReference[]): Schema {
  const codes = [...new Set(group.map(({ example }) => example.code))];
  return {
    description: "Which error it is, in one word that stays.",
    required: true,
    schema: { type: "string", enum: codes },
    example: codes[0],
  };
}

/** The headers of an answer with this status, as references to the document's components. */
function headersOf(status: number): Record<string, Schema> {
  const names = [...EVERYWHERE, ...(byStatus[status] ?? LIMITED)];
  return Object.fromEntries(names.map(headerNamed));
}

/** An answer of the endpoint itself, after all checks, may say which parts of the request it ignored. */
export function withIgnored(responses: Record<string, Schema>, hasBody: boolean): Record<string, Schema> {
  const names = ["X-Query-Ignored", ...(hasBody ? ["X-Body-Ignored"] : [])];
  const ignored = Object.fromEntries(names.map(headerNamed));
  return Object.fromEntries(
    Object.entries(responses).map(([status, answer]) => {
      const comesLater = status < "400" || ["404", "409", "412", "422"].includes(status);
      return [status, comesLater ? { ...answer, headers: { ...(answer.headers as Schema), ...ignored } } : answer];
    }),
  );
}

function headerNamed(name: string): [string, Schema] {
  return [name, { $ref: `#/components/headers/${name}` }];
}

const EVERYWHERE = ["X-Request-Id", "Server-Timing", "traceparent"];
const LIMITED = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "RateLimit-Policy", "RateLimit"];

const byStatus: Record<number, string[]> = {
  401: ["WWW-Authenticate"],
  405: ["Allow"],
  415: [...LIMITED, "Accept-Encoding"],
  429: [...LIMITED, "X-RateLimit-Reset", "Retry-After"],
  503: [...LIMITED, "Retry-After"],
};
