import { mergesTag } from "../../customers/alike/alike-reference.ts";
import type { companyReferences } from "../../customers/companies/company-reference.ts";
import type { childReference } from "../../customers/company-children/child-reference.ts";
import { errors } from "../../kit/errors.ts";
import { includedWords, includeParameters } from "../../kit/openapi/external-reference.ts";
import type { ErrorReference, Reference } from "../../kit/openapi/reference.ts";
import {
  detailedErrorSchema,
  resourceChanged,
  resourceMissing,
  validationFailed,
} from "../../kit/openapi/request-errors.ts";
import { resourceExample } from "../../kit/openapi/resource-examples.ts";
import { resourceSchema } from "../../kit/openapi/resource-schemas.ts";
import type { Resource } from "../../kit/openapi/resource.ts";
import { idSchema, integerSchema, named, nullable, objectSchema } from "../../kit/openapi/schema.ts";
import { apiFields } from "../../platform/fields/fields.ts";
import { mergeFields } from "./merge-endpoints.ts";
import { undoRefusals } from "./merge-sentences.ts";
import { mergeableCompany, mergeableContact, type MergeableNoun } from "./mergeable-noun.ts";
import { UNDO_DAYS } from "./stored-merge-queries.ts";

const choice = named("MergeChoice", { type: "string", enum: ["keep", "from"] });
const count = integerSchema(0);
const countsOf = (kinds: readonly string[]) => objectSchema(Object.fromEntries(kinds.map((kind) => [kind, count])));
const numbers = (kinds: readonly string[], some: Record<string, number>) =>
  Object.fromEntries(kinds.map((kind) => [kind, some[kind] ?? 0]));
const undoneCounts = named("UndoneCounts", {
  description: "The number of rows of each kind, and of values and external ids of the kept one (`fields`).",
  // Of contacts only some kinds are counted.
  ...countsOf(["fields", ...mergeableCompany.counted]),
  required: ["fields", ...mergeableContact.counted],
});

const notUndoable: ErrorReference = {
  name: "mergeNotUndoable",
  summary: "A merge that was undone before",
  example: errors.mergeNotUndoable(undoRefusals({ outcome: "already-undone" })),
  schema: detailedErrorSchema,
};

/** The documentation of a noun's merges. `moves`: what moves, as a sentence. */
function merging(
  { type, model, fields, counted }: MergeableNoun,
  resource: Resource,
  { moves, from, choices }: { moves: string; from: number; choices: Record<string, "keep" | "from"> },
): Reference {
  return {
    operationId: `merge${model === "Company" ? "Companies" : "Contacts"}`,
    tag: mergesTag,
    summary: `Merge another ${type} into one`,
    description:
      `${moves} move to this ${type}, with their ids. \`from\` is deleted: GET answers 404 with the header \`X-Merged-Into\`. ` +
      `Its ${type === "company" ? "external ids and its fiscal id" : "external ids"} lead to this ${type}. Fields that are not named keep ` +
      `their value; where there is none, they take that of \`from\`. Notes are joined. A merge can be undone for ${UNDO_DAYS} days.`,
    query: includeParameters(includedWords(resource)),
    includes: includedWords(resource),
    body: {
      schema: named(
        `${model}Merge`,
        objectSchema(
          {
            from: { ...idSchema, description: `The ${type} that goes into this one.` },
            fields: named(`${model}MergeChoices`, {
              type: "object",
              description: "Whose value a field gets: `keep` or `from`. A custom field is `custom.KEY`.",
              properties: Object.fromEntries(apiFields(fields).map(({ name }) => [name, choice])),
              additionalProperties: choice,
            }),
            dry_run: { type: ["boolean", "null"], description: "True: answers the same, and changes nothing." },
          },
          ["from"],
        ),
      ),
      examples: { merge: { summary: "The phone of the other one", value: { from, fields: choices } } },
    },
    success: {
      status: 200,
      tagged: true,
      description: `The kept ${type}.`,
      schema: named(
        `${model}MergeResponse`,
        objectSchema({
          data: resourceSchema(resource),
          meta: named(
            `${model}MergeMeta`,
            objectSchema({
              merge_id: nullable({ ...idSchema, description: "For the undo. Null of a dry run." }),
              moved: named(`${model}MovedCounts`, {
                description: "The number of rows of each kind that moved.",
                ...countsOf(counted),
              }),
            }),
          ),
        }),
      ),
      examples: {
        merged: {
          summary: "Merged",
          value: {
            data: resourceExample(resource),
            meta: { merge_id: 1, moved: numbers(counted, { contacts: 1, invoices: 2, activities: 4 }) },
          },
        },
      },
    },
    errors: [resourceMissing(model), validationFailed(mergeFields, "create"), resourceChanged],
  };
}

/** The documentation of the merges' endpoints. */
export function mergeReferences(
  { update, restore }: ReturnType<typeof companyReferences>,
  contacts: ReturnType<typeof childReference>,
) {
  const [company, contact] = [update.resource, contacts.update.resource];
  if (company === undefined || contact === undefined) throw new Error("companies and contacts have resources");
  const taxIdTaken = restore.errors.filter(({ name }) => name === "taxIdTaken");
  const companies = merging(mergeableCompany, company, {
    moves: "The contacts, addresses, invoices, payments, activities and records of `from`",
    from: 4711,
    choices: { phone: "from", city: "keep" },
  });
  const people = merging(mergeableContact, contact, {
    moves: "`from` is another contact of the same company. Its activities and calls to come",
    from: 4712,
    choices: { phone: "from", email: "keep" },
  });
  const undo: Reference = {
    operationId: "undoMerge",
    tag: mergesTag,
    summary: "Undo a merge",
    description:
      `Within ${UNDO_DAYS} days. What was merged returns with everything that moved and is still there. Values of the kept one go back, ` +
      "unless they were changed since. A merge into one that was merged itself later is undone after that one. Of contacts it needs `contacts:write` too.",
    success: {
      status: 200,
      description: "What went back, and what stays.",
      schema: named("MergeUndone", objectSchema({ restored: undoneCounts, left: undoneCounts })),
      examples: {
        undone: {
          summary: "A value was changed since",
          value: {
            restored: { fields: 2, ...numbers(mergeableCompany.counted, { contacts: 1, invoices: 2, activities: 4 }) },
            left: { fields: 1, ...numbers(mergeableCompany.counted, {}) },
          },
        },
      },
    },
    errors: [resourceMissing("Merge"), notUndoable, ...taxIdTaken],
  };
  return { companies, contacts: people, undo } satisfies Record<string, Reference>;
}
