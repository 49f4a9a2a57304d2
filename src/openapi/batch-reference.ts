import { externalAnswered, includedWords, includeParameters } from "./external-reference.ts";
import type { Reference } from "./reference.ts";
import { validationFailed } from "./request-errors.ts";
import { bodySchema } from "./resource-schemas.ts";
import type { Resource } from "./resource.ts";
import { idSchema, integerSchema, named, nullable, objectSchema, type Schema } from "./schema.ts";

/** The most items of a batch. */
export const MOST_ITEMS = 1_000;

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
        description: "Null where no resource is known: of one that a dry run would create, too.",
      }),
      errors: {
        type: "object",
        description:
          "The failing fields with their messages, as a single write would answer them; behind 10,000 of all items together an item's first one.",
        additionalProperties: { type: "array", items: { type: "string" } },
      },
      external: externalAnswered,
      error: { type: "string", description: "Anything else that a single write would answer, as its sentence." },
      details: { type: "string", description: "What prevents a deletion, as a DELETE would answer it." },
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
      unchanged: { ...count, description: "Items that were as sent already." },
      deleted: { ...count, description: "Only if an item has `delete` or `restore`; likewise `restored`." },
      restored: count,
      rejected: count,
      results: { type: "array", items: result },
    },
    ["created", "updated", "unchanged", "rejected", "results"],
  ),
);

/**
 * The texts of a route that writes many resources at once.
 * @param by the field that identifies the resource of an item without an id, if there is one
 * @param names the members by which an item names its resource's parent
 * @param removes whether an item may delete or restore its resource
 */
export function batching(
  resource: Resource,
  { by = null, names = {}, removes = true }: { by?: string | null; names?: Record<string, Schema>; removes?: boolean },
): Reference {
  const { model, singular, plural, tag, change } = resource;
  const meant = by === null ? "`id` or by `external`" : `\`id\` or, without one, by \`external\` or \`${by}\``;
  const id = { ...idSchema, description: `The ${singular} that is updated.` };
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
      `The fields of a ${singular}, as a single write takes them. One that is known by ${meant} is updated: absent fields ` +
      "stay as they are. Any other is created.",
    allOf: [
      bodySchema(resource, "update"),
      named(`${model}BatchTarget`, objectSchema({ id, ...names, ...removal }, [])),
    ],
  });
  const asked = {
    items: [
      { id: 7, ...change },
      { id: 999, ...change },
    ],
  };
  const results = [
    { index: 0, outcome: "updated", id: 7 },
    { index: 1, outcome: "rejected", id: null, error: `No query results for model [${model}] 999` },
  ];
  return {
    operationId: `batch${tag.name}`,
    tag,
    query: includeParameters(includedWords(resource)),
    includes: includedWords(resource),
    summary: removes ? `Create, update and delete many ${plural}` : `Create and update many ${plural}`,
    description:
      `Up to ${MOST_ITEMS} items in a body of at most 8 MiB, written in one transaction, in their order where two mean the same. ` +
      "An item that is wrong costs only itself: `results` has the outcome of each. `dry_run` returns the outcomes, and " +
      "changes nothing.",
    body: {
      schema: named(
        `${model}Batch`,
        objectSchema(
          {
            items: { type: "array", minItems: 1, maxItems: MOST_ITEMS, items: item },
            dry_run: {
              type: "boolean",
              description: "Only returns the outcomes of the items. The default is false.",
            },
          },
          ["items"],
        ),
      ),
      examples: { two: { summary: `Two ${plural}, of which one is missing`, value: asked } },
    },
    success: {
      status: 200,
      description: "The outcome of each item.",
      schema: answer,
      examples: {
        two: {
          summary: "One updated, one rejected",
          value: { created: 0, updated: 1, unchanged: 0, rejected: 1, results },
        },
      },
    },
    errors: [validationFailed([{ name: "items", kind: "list", required: true }], "create")],
  };
}
