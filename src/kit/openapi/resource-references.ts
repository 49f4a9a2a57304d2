import { externalErrors, includedWords, includeParameters, lookUpParameters } from "./external-reference.ts";
import { cursorPageSchema, pageSchema } from "./page-schemas.ts";
import { cursorParameter, pagingParameters, searchParameter } from "./parameters.ts";
import type { ErrorReference, Examples, Reference, Success } from "./reference.ts";
import {
  cursorInvalid,
  deletedSchema,
  resourceChanged,
  resourceMissing,
  wrongLookUp,
  validationFailed,
} from "./request-errors.ts";
import {
  CURSOR_EXAMPLE,
  createExamples,
  emptyPageExample,
  minimalExample,
  pageExample,
  resourceExample,
  updatedExample,
} from "./resource-examples.ts";
import { bodySchema, detailsSchema, listedMembers, listedSchema, resourceSchema } from "./resource-schemas.ts";
import type { Resource } from "./resource.ts";
import { dataOf, type Schema } from "./schema.ts";

/**
 * The references of the five routes that most kinds of resource have. A noun passes its own texts, or spreads them over
 * the result; a route of another shape is written out as a `Reference`.
 */

/** @param where ` of a parent`, if the list does not contain all of them */
export function listing(
  resource: Resource,
  {
    where = "",
    filters = [],
    errors = [],
  }: { where?: string; filters?: readonly Schema[]; errors?: ErrorReference[] } = {},
): Reference {
  const { model, plural, order, searched, tag, fields } = resource;
  const item = resource.notInLists === undefined ? resourceSchema(resource) : listedSchema(resource);
  const itemExample = resourceExample(resource, listedMembers(resource));
  const included = includedWords(resource, resource.embedded);
  const [example] = fields.map((field) => field.example);
  const sample = typeof example === "string" ? example.slice(0, 4) : "";
  return {
    operationId: `list${tag.name}`,
    resource,
    tag,
    summary: `List the ${plural}${where}`,
    description:
      `A page, with the exact total. Order: ${order}.\n\nWith \`cursor\`, a page without a total. Each page costs the same, for any ` +
      "number of rows. A row that exists during the whole walk is returned exactly once, whatever is created or deleted meanwhile. " +
      "A page may have fewer items than `per_page`, or none: the walk ends when `next_cursor` is null.",
    query: [
      ...(searched.length === 0 ? [] : [searchParameter(searched, sample)]),
      ...filters,
      ...lookUpParameters(resource),
      ...pagingParameters,
      cursorParameter,
      ...includeParameters(included),
    ],
    includes: included,
    success: {
      status: 200,
      description: "The page.",
      schema: { oneOf: [pageSchema(item, model), cursorPageSchema(item, model)] },
      examples: (url) => ({
        page: { summary: "The second of three pages", value: pageExample(itemExample, url) },
        empty: { summary: "Nothing found", value: emptyPageExample(url) },
        cursor: {
          summary: "The first page of a walk by cursor",
          value: { data: [itemExample], next_cursor: CURSOR_EXAMPLE, per_page: 1 },
        },
      }),
    },
    errors: [...errors, cursorInvalid, ...(resource.hasExternal ? [wrongLookUp] : [])],
  };
}

export function showing(resource: Resource): Reference {
  const { model, singular, members, membersOfOne, tag } = resource;
  const value = { data: resourceExample(resource, [...members, ...membersOfOne]) };
  // A single one has what lists leave out.
  const included = includedWords(
    resource,
    resource.embedded?.filter(({ word }) => !members.includes(word)),
  );
  const extra = membersOfOne.map((name) => `\`${name}\``).join(" and ");
  const extraWords = extra === "" ? "" : `, with ${extra}, which no other answer has`;
  return {
    operationId: `show${model}`,
    resource,
    tag,
    summary: `Show ${article(resource)}`,
    description: `The ${singular}${extraWords}.`,
    query: includeParameters(included),
    includes: included,
    success: successWithOne(200, `The ${singular}.`, detailsSchema(resource), {
      [singular]: { summary: `One ${singular}`, value },
    }),
    errors: [resourceMissing(model)],
  };
}

/**
 * @param twice the effect of sending the same request twice without a key
 * @param errors in addition to those of validation
 */
export function creating(
  resource: Resource,
  {
    twice = `creates two ${resource.plural}`,
    errors = [],
  }: { twice?: string; errors?: readonly ErrorReference[] } = {},
): Reference {
  const { model, singular, tag, fields } = resource;
  const { minimal, complete } = createExamples(resource);
  const required = Object.keys(minimal).map((name) => `\`${name}\``);
  return {
    operationId: `create${model}`,
    resource,
    tag,
    summary: `Create ${article(resource)}`,
    description: `Required: ${required.join(" and ")}. ${sentTwice(twice)}`,
    query: includeParameters(includedWords(resource)),
    includes: includedWords(resource),
    body: {
      schema: bodySchema(resource, "create"),
      examples: {
        minimal: { summary: "Required fields only", value: minimal },
        complete: { summary: "Every field", value: complete },
      },
    },
    success: successWithOne(201, `The new ${singular}.`, resourceSchema(resource), {
      minimal: { summary: "Required fields only", value: { data: minimalExample(resource) } },
      complete: { summary: "Every field", value: { data: resourceExample(resource) } },
    }),
    errors: [validationFailed(fields, "create"), ...errors, ...externalErrors(resource)],
  };
}

/**
 * The effect of repeating a create.
 * @param twice the effect of sending the same request twice without a key
 */
export function sentTwice(twice: string): string {
  return (
    `Without an \`Idempotency-Key\`, the same request sent twice ${twice}. With an \`Idempotency-Key\`, it is executed once: the ` +
    "second request returns the first answer."
  );
}

/** @param errors beside those of a missing resource and of validation */
export function updating(resource: Resource, errors: readonly ErrorReference[] = []): Reference {
  const { model, singular, change, tag, fields } = resource;
  return {
    operationId: `update${model}`,
    resource,
    tag,
    summary: `Update ${article(resource)}`,
    description:
      "A partial update: fields that are not sent stay as they are. It is safe to send it twice: an update that changes no stored " +
      "value does not move `updated_at`.",
    query: includeParameters(includedWords(resource)),
    includes: includedWords(resource),
    body: {
      schema: bodySchema(resource, "update"),
      examples: { change: { summary: "Change one field, clear another", value: change } },
    },
    success: successWithOne(200, `The ${singular} after the update.`, resourceSchema(resource), {
      change: { summary: "One field changed, another cleared", value: { data: updatedExample(resource) } },
    }),
    errors: [
      resourceMissing(model),
      validationFailed(fields, "update"),
      resourceChanged,
      ...errors,
      ...externalErrors(resource),
    ],
  };
}

/** The same as PATCH. */
export function patching(reference: Reference): Reference {
  return {
    ...reference,
    operationId: reference.operationId.replace("update", "patch"),
    description: `The same as PUT. ${reference.description}`,
  };
}

/**
 * @param returns what is restored with it
 * @param errors in addition to the one for a resource that never existed
 */
export function restoring(resource: Resource, returns: string, errors: readonly ErrorReference[] = []): Reference {
  const { model, singular, tag } = resource;
  return {
    operationId: `restore${model}`,
    resource,
    tag,
    summary: `Restore ${article(resource)}`,
    description: `Restores a deleted ${singular} as it was${returns}. If it is not deleted, nothing changes.`,
    query: includeParameters(includedWords(resource)),
    includes: includedWords(resource),
    success: successWithOne(200, `The ${singular}.`, resourceSchema(resource), {
      restored: { summary: "Restored", value: { data: resourceExample(resource) } },
    }),
    errors: [resourceMissing(model), ...errors],
  };
}

export function deleting(resource: Resource): Reference {
  const { model, singular, tag } = resource;
  return {
    operationId: `delete${model}`,
    tag,
    summary: `Delete ${article(resource)}`,
    description: `Requests for the ${singular} return 404 from then on. So does a second delete, unless it has the \`Idempotency-Key\` of the first.`,
    success: {
      status: 200,
      description: "It is deleted.",
      schema: deletedSchema,
      examples: { deleted: { summary: "Deleted", value: { message: `${model} deleted.` } } },
    },
    errors: [resourceMissing(model), resourceChanged],
  };
}

/** The answer that carries one resource. */
export function successWithOne(
  status: Success["status"],
  description: string,
  resource: Schema,
  examples: Examples,
): Success {
  return { status, tagged: true, description, schema: dataOf(resource), examples };
}

/** The answer that carries a numbered page of items. @param example of an item */
export function successWithPage(item: Schema, example: object, summary = "The second of three pages"): Success {
  return {
    status: 200,
    description: "The page.",
    schema: pageSchema(item),
    examples: (url) => ({ page: { summary, value: pageExample({ ...example }, url) } }),
  };
}

/** The word with its `a` or `an`. */
export function article({ singular }: Resource): string {
  return `${/^[aeiou]/.test(singular) ? "an" : "a"} ${singular}`;
}
