import { integerSchema, type Schema } from "./schema.ts";

/** The ids in a path, by the names that it gives them: `{id}`, `{parent}`. */
export function pathParameters(path: string): Schema[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    description: name === "id" ? "The id." : `The ${name.replaceAll("_", " ")}'s id.`,
    schema: integerSchema(1),
    example: 1,
  }));
}

/**
 * `search`. The schema has the example, as for every filter: the reference page would fill in a parameter's own example
 * when it tries a request.
 * @param searched the names of the searched fields
 */
export function searchParameter(searched: readonly string[], example: string): Schema {
  const names = searched.map((name) => `\`${name}\``).join(", ");
  return {
    name: "search",
    in: "query",
    description: `A text anywhere in ${names}, ignoring case and accents. Empty: no filter.`,
    schema: { type: "string", examples: [example] },
  };
}

/** `cursor`, beside the parameters of numbered pages. */
export const cursorParameter: Schema = {
  name: "cursor",
  in: "query",
  description:
    "Empty for the first page, then the `next_cursor` of the last answer. The answer has `data`, `next_cursor` and `per_page`. " +
    "`page` is ignored. A cursor is valid only with the filters and the `sort` that it was returned for.",
  schema: { type: "string" },
  allowEmptyValue: true,
};

export const pagingParameters: readonly Schema[] = [
  {
    name: "page",
    in: "query",
    description: "The number of the page, from 1. A page beyond the last is empty. Any other value means 1.",
    schema: integerSchema(1),
    example: 1,
  },
  {
    name: "per_page",
    in: "query",
    description: "Items per page. A value above 200 means 200, any other value means 50.",
    schema: integerSchema(1, 200),
    example: 50,
  },
];

export const idempotencyKey: Schema = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "A text of your own for this request, bare or quoted, such as a UUID. The same request with the same key is executed once, and " +
    "returns the first answer again, for 24 hours.",
  // The quotation marks of a quoted one do not count.
  schema: { type: "string", minLength: 1, maxLength: 257, pattern: "^[!-~]+$" },
};

export const ifNoneMatch: Schema = {
  name: "If-None-Match",
  in: "header",
  description: "One or more `ETag`s of earlier answers. If the answer would be the same, it is 304 without a body.",
  schema: { type: "string" },
};

export const ifMatch: Schema = {
  name: "If-Match",
  in: "header",
  description:
    "One or more `ETag`s of the resource, from any request. If the resource was changed since, the answer is 412.",
  schema: { type: "string" },
};
