import type { Schema } from "./schema.ts";

type Header = { description: string; required?: boolean; schema: Schema; example: string | number };

/** The headers of answers, by their names. One that is not `required` is there as its description says. */
export const headers: Record<string, Header> = {
  "X-Request-Id": {
    description: "The request's id in the server's log: the caller's own X-Request-Id where that is a plain word.",
    required: true,
    schema: { type: "string", pattern: String.raw`^[\w.-]{1,128}$` },
    example: "0b8c1f7e-4c57-4d7a-9a53-0d5f6f2f0a11",
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
  "X-RateLimit-Reset": {
    description: "When the current minute ends, in Unix seconds.",
    required: true,
    schema: { type: "integer", minimum: 0 },
    example: 1_795_166_160,
  },
  "Retry-After": {
    description: "Seconds to wait before trying again.",
    required: true,
    schema: { type: "integer", minimum: 1 },
    example: 42,
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

/** The headers of an answer with this status, as references to the document's components. */
export function headersOf(status: number): Record<string, Schema> {
  const names = ["X-Request-Id", ...(byStatus[status] ?? LIMITED)];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

const LIMITED = ["X-RateLimit-Limit", "X-RateLimit-Remaining"];

const byStatus: Record<number, string[]> = {
  401: ["WWW-Authenticate"],
  405: ["Allow"],
  429: [...LIMITED, "X-RateLimit-Reset", "Retry-After"],
  503: [...LIMITED, "Retry-After"],
};
