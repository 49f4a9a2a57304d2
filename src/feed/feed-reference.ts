import { changeSchema } from "../changes/change-reference.ts";
import { followedTypes } from "../changes/change.ts";
import { errors } from "../errors.ts";
import type { Reference } from "../openapi/reference.ts";
import { cursorInvalid, detailedErrorSchema } from "../openapi/request-errors.ts";
import { definitionOf, integerSchema, named, objectSchema, type Schema } from "../openapi/schema.ts";
import { LIMIT, MOST_WITH_RESOURCES, WAIT_SECONDS } from "./list-changes.ts";

const change = definitionOf(changeSchema) as { properties: Record<string, Schema>; required: string[] };

const feedChange = named(
  "FeedChange",
  objectSchema(
    {
      ...change.properties,
      resource: {
        type: ["object", "null"],
        description: "With `include=resource`: the resource as GET answers it now; null if it is gone.",
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
    next: { type: "string", description: "The `after` of the next request. There is always one." },
    more: { type: "boolean", description: "Whether to ask again at once. `data` may be empty all the same." },
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
  tag: { name: "Changes", description: "What changed, of all resources, for programs that keep a copy or react." },
  summary: "Follow what changes",
  description:
    "The changes of all companies, contacts, addresses and invoices in one order, which is the same for everybody, and in which " +
    "nothing ever appears behind a cursor that was given out. Those of one resource stand as they happened. Kept for 30 days. " +
    "Store `next` together with what the changes made you do, and go on there.",
  query: [
    {
      name: "after",
      in: "query",
      description: "The last answer's `next`. Absent or empty: from the oldest change that is kept.",
      schema: { type: "string" },
      allowEmptyValue: true,
    },
    {
      name: "limit",
      in: "query",
      description: `Changes at most; beyond the bounds it is the bound. Absent: ${LIMIT.default}.`,
      schema: integerSchema(LIMIT.min, LIMIT.max),
    },
    {
      name: "types",
      in: "query",
      description: `Of these types of resources alone: \`${followedTypes.join("`, `")}\`, with commas between them; another one is refused. Absent: of all.`,
      schema: { type: "string", examples: ["company,contact"] },
    },
    {
      name: "wait",
      in: "query",
      description:
        "Seconds to wait where there is nothing yet; the answer comes as soon as there is something. Absent: none.",
      schema: integerSchema(WAIT_SECONDS.min, WAIT_SECONDS.max),
    },
    {
      name: "children",
      in: "query",
      description:
        "`true` adds a change for each contact and address that is hidden or shown with its company, right behind the company's.",
      schema: { type: "boolean" },
    },
    {
      name: "include",
      in: "query",
      description:
        "`resource` adds to each change its resource, as GET answers it now, of the types that the key may read; " +
        `\`resource,external\` with its external ids. A page then has ${MOST_WITH_RESOURCES} changes at most.`,
      schema: { type: "string", examples: ["resource"] },
    },
  ],
  success: {
    status: 200,
    description: "Changes, and where to go on.",
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
      meaning: "The change that the cursor stands behind is not there any more: read everything again.",
      schema: detailedErrorSchema,
    },
  ],
};
