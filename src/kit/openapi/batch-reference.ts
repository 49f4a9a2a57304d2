import { externalAnswered, includedWords, includeParameters } from "./external-reference.ts";
import type { Reference } from "./reference.ts";
import { validationFailed } from "./request-errors.ts";
import { bodySchema } from "./resource-schemas.ts";
import type { Resource } from "./resource.ts";
import { idSchema, integerSchema, named, nullable, objectSchema, type Schema } from "./schema.ts";

/** The most items of a batch. */
export const MOST_ITEMS = 1_000;

/** Stored resources that look like a new one, in a dry run. */
export const alikeToSchema: Schema = {
  type: "array",
  description: "In a dry run, at most five stored ones that look like a new one, the sure ones first.",
  items: named(
    "AlikeTo",
    objectSchema({
      id: idSchema,
      name: { type: "string" },
      evidence: {
        type: "array",
        description: "`tax_id`, `phone`, `email_domain` or `name`.",
        items: { type: "string" },
      },
    }),
  ),
};

/** The member `dry_run` of a body. */
export const dryRunSchema: Schema = {
  type: "boolean",
  description: "Whether to change nothing, and only return what would happen. Default: false.",
};

const result = named(
  "BatchResult",
  objectSchema(
    {
      index: { ...integerSchema(0, MOST_ITEMS - 1), description: "The place of the item in `items`, from 0." },
      outcome: named("BatchOutcome", {
        type: "string",
        enum: ["created", "updated", "unchanged", "deleted", "restored", "rejected"],
      }),
      id: nullable({
        ...idSchema,
        description: "Null if there is no such resource, or if only a dry run would create it.",
      }),
      errors: {
        type: "object",
        description:
          "The wrong fields with their messages, as a single write would return them. After 10,000 messages of all items, an item has only its first.",
        additionalProperties: { type: "array", items: { type: "string" } },
      },
      external: externalAnswered,
      alike: alikeToSchema,
      error: { type: "string", description: "Any other error that a single write would return, as its sentence." },
      details: { type: "string", description: "What prevents a deletion, as DELETE returns it." },
    },
    ["index", "outcome", "id"],
  ),
);

const count = integerSchema(0, MOST_ITEMS);

const answer = named(
  "BatchResponse",
  objectSchema(
    {
      created: count,
      updated: count,
      unchanged: { ...count, description: "Items that changed nothing." },
      deleted: {
        ...count,
        description:
          "Deleted resources. This member and `restored` are there only if an item has `delete` or `restore`.",
      },
      restored: count,
      rejected: count,
      results: { type: "array", items: result },
    },
    ["created", "updated", "unchanged", "rejected", "results"],
  ),
);

type Batching = {
  by?: string | null;
  names?: Record<string, Schema>;
  removes?: boolean;
  recorded?: { items: [object, object]; error: string } | null;
};

/**
 * The texts of a route that writes many resources at once.
 * @param by the field that identifies the resource of an item without an id, if there is one
 * @param names the members by which an item names its resource's parent
 * @param removes whether an item may delete or restore its resource
 * @param recorded two items and the error of the second, of a resource that no item updates
 */
export function batching(
  resource: Resource,
  { by = null, names = {}, removes = true, recorded = null }: Batching,
): Reference {
  const { model, singular, plural, tag, change } = resource;
  const meant = by === null ? "`id` or by `external`" : `\`id\` or, without one, by \`external\` or \`${by}\``;
  const id = recorded === null ? { id: { ...idSchema, description: `The ${singular} that is updated.` } } : {};
  const removal: Record<string, Schema> = removes
    ? {
        delete: {
          type: "boolean",
          description: `Deletes the ${singular} that the item names. Its fields are ignored.`,
        },
        restore: {
          type: "boolean",
          description: `Restores the deleted ${singular} that the item names by its \`id\`. Its fields are ignored.`,
        },
      }
    : {};
  const item = named(`${model}BatchItem`, {
    description:
      `The fields of a ${singular}, as in a single write. ` +
      (recorded === null
        ? `One that is found by ${meant} is updated: fields that are not sent stay as they are. Any other is created.`
        : "One with a known external id is unchanged or rejected, and one with an `id` is rejected."),
    allOf: [
      bodySchema(resource, recorded === null ? "update" : "create"),
      named(`${model}BatchTarget`, objectSchema({ ...id, ...names, ...removal }, [])),
    ],
  });
  const does = recorded !== null ? "Record" : removes ? "Create, update and delete" : "Create and update";
  const outcome = recorded === null ? "updated" : "created";
  const items = recorded?.items ?? [
    { id: 7, ...change },
    { id: 999, ...change },
  ];
  const error = recorded?.error ?? `No query results for model [${model}] 999`;
  const results = [
    { index: 0, outcome, id: 7 },
    { index: 1, outcome: "rejected", id: null, error },
  ];
  return {
    operationId: `batch${tag.name}`,
    tag,
    query: includeParameters(includedWords(resource)),
    includes: includedWords(resource),
    summary: `${does} many ${plural}`,
    description:
      `Up to ${MOST_ITEMS} items in a body of at most 8 MiB. Items that name the same resource are ` +
      "written in their order. A wrong item is rejected and does not affect the others: `results` has the outcome of each. With " +
      "`dry_run`, the answer says what would happen, and nothing changes.",
    body: {
      schema: named(
        `${model}Batch`,
        objectSchema(
          {
            items: { type: "array", minItems: 1, maxItems: MOST_ITEMS, items: item },
            dry_run: dryRunSchema,
          },
          ["items"],
        ),
      ),
      examples: {
        two: {
          summary: `Two ${plural}, of which one is ${recorded === null ? "missing" : "rejected"}`,
          value: { items },
        },
      },
    },
    success: {
      status: 200,
      description: "The outcome of each item.",
      schema: answer,
      examples: {
        two: {
          summary: `One ${outcome}, one rejected`,
          value: { created: 0, updated: 0, unchanged: 0, rejected: 1, [outcome]: 1, results },
        },
      },
    },
    errors: [validationFailed([{ name: "items", kind: "list", required: true }], "create")],
  };
}
