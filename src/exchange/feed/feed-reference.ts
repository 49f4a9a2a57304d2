import { changeSchema } from "../../kit/changes/change-reference.ts";
import { followedTypes } from "../../kit/changes/change.ts";
import { errors } from "../../kit/errors.ts";
import type { Reference } from "../../kit/openapi/reference.ts";
import { cursorInvalid, detailedErrorSchema } from "../../kit/openapi/request-errors.ts";
import { definitionOf, integerSchema, named, objectSchema, type Schema } from "../../kit/openapi/schema.ts";
import { LIMIT, MOST_WITH_RESOURCES, WAIT_SECONDS } from "./list-changes.ts";

const change = definitionOf(changeSchema) as { properties: Record<string, Schema>; required: string[] };

const feedChange = named(
  "FeedChange",
  objectSchema(
    {
      ...change.properties,
      resource: {
        type: ["object", "null"],
        description: "With `include=resource`: the resource as GET returns it now; null if it is deleted.",
        additionalProperties: true,
      },
    },
    change.required,
  ),
);

const feedPage = named(
  "ChangeFeedPage",
  objectSchema({
    data: { type: "array", maxItems: LIMIT.max, items: feedChange },
    next: { type: "string", description: "The `after` of the next request. It is always there." },
    more: { type: "boolean", description: "Whether to send the next request at once. `data` may be empty even then." },
  }),
);

const example = {
  id: 230,
  at: "2026-11-21T14:02:31.000250Z",
  type: "contact",
  resource_id: 108,
  company_id: 61,
  action: "updated",
  changed: { job_title: { from: null, to: "Buyer" }, mobile: { changed: true } },
  by: { kind: "key", id: 3, name: "ERP" },
};

/** The words of the feed. */
export const feedReference: Reference = {
  operationId: "listChanges",
  tag: { name: "Changes", description: "The changes of all resources, for programs that keep a copy or react." },
  summary: "Follow what changes",
  description:
    "The changes of all companies, contacts, addresses, invoices, payments and custom fields, in one order for all " +
    "readers. No change is ever inserted before a cursor that was returned. The changes of one resource are in the " +
    "order in which they happened. They are kept for 30 days. Store `next` in the same transaction as the results of " +
    "the changes, and continue there.",
  query: [
    {
      name: "after",
      in: "query",
      description: "The `next` of the last answer. Without it: from the oldest change that is kept.",
      schema: { type: "string" },
      allowEmptyValue: true,
    },
    {
      name: "limit",
      in: "query",
      description: `The most changes of a page. A value beyond the bounds means the bound. Default: ${LIMIT.default}.`,
      schema: integerSchema(LIMIT.min, LIMIT.max),
    },
    {
      name: "types",
      in: "query",
      description: `Only changes of these types, separated by commas: \`${followedTypes.join("`, `")}\`. Any other is refused. Default: all.`,
      schema: { type: "string", examples: ["company,contact"] },
    },
    {
      name: "wait",
      in: "query",
      description:
        "Seconds to wait if there is no change yet. The answer is returned as soon as there is one. Default: 0.",
      schema: integerSchema(WAIT_SECONDS.min, WAIT_SECONDS.max),
    },
    {
      name: "children",
      in: "query",
      description:
        "`true` adds a change for each contact and address that is hidden or shown with its company, directly after the company's change.",
      schema: { type: "boolean" },
    },
    {
      name: "include",
      in: "query",
      description:
        "`resource` adds to each change its resource, as GET returns it now, if the key may read its type; " +
        `\`resource,external\` with its external ids. A page then has ${MOST_WITH_RESOURCES} changes at most.`,
      schema: { type: "string", examples: ["resource"] },
    },
  ],
  includes: ["resource", "terms", "external"].map((word) => ({ word, capability: null })),
  success: {
    status: 200,
    description: "Changes, and the cursor to continue with.",
    schema: feedPage,
    examples: {
      changes: {
        summary: "One change, and no more for now",
        value: { data: [example], next: "1.pq3v8Yw", more: false },
      },
      nothing: { summary: "Nothing new", value: { data: [], next: "1.pq3v8Yw", more: false } },
    },
  },
  errors: [
    { ...cursorInvalid, summary: "A text that is no cursor of the feed" },
    {
      name: "changeTypeUnknown",
      summary: "A type that no change has",
      example: errors.changeTypeUnknown(followedTypes),
      schema: detailedErrorSchema,
    },
    {
      name: "cursorTooOld",
      summary: "A cursor that one cannot go on from",
      example: errors.cursorTooOld(),
      meaning: "The change before the cursor no longer exists: read everything again.",
      schema: detailedErrorSchema,
    },
  ],
};
