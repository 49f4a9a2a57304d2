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
    description: `A part of any one of ${names}; case and accents make no difference. Empty: no filter.`,
    schema: { type: "string", examples: [example] },
  };
}

/** `cursor`, beside the parameters of numbered pages. */
export const cursorParameter: Schema = {
  name: "cursor",
  in: "query",
  description:
    "Empty for the beginning, then the last answer's `next_cursor`: the page behind it, as `data`, `next_cursor` and `per_page`. " +
    "`page` does not count beside it. It belongs to the filters and the order that it was given with.",
  schema: { type: "string" },
  allowEmptyValue: true,
};

export const pagingParameters: readonly Schema[] = [
  {
    name: "page",
    in: "query",
    description: "The page, from 1. A page beyond the last is empty. Anything but a positive integer counts as 1.",
    schema: integerSchema(1),
    example: 1,
  },
  {
    name: "per_page",
    in: "query",
    description: "Items per page. More than 200 count as 200, anything but a positive integer as 50.",
    schema: integerSchema(1, 200),
    example: 50,
  },
];

export const idempotencyKey: Schema = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "A text of the caller's own for this request, bare or quoted: one that comes again with the same key is not done again, and answered as the first was. " +
    "Kept for 24 hours.",
  // The quotation marks of a quoted one do not count.
  schema: { type: "string", minLength: 1, maxLength: 257, pattern: "^[!-~]+$" },
};

export const ifNoneMatch: Schema = {
  name: "If-None-Match",
  in: "header",
  description: "The `ETag` of the answer that the caller has, or several: 304 where it would be the same.",
  schema: { type: "string" },
};

export const ifMatch: Schema = {
  name: "If-Match",
  in: "header",
  description:
    "An `ETag` of the resource that the caller saw, by whatever request, or several: 412 where it was changed since.",
  schema: { type: "string" },
};
