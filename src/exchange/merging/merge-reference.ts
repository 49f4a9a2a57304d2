import { mergesTag } from "../../customers/alike/alike-reference.ts";
import type { companyReferences } from "../../customers/companies/company-reference.ts";
import { companyFields } from "../../customers/companies/company.ts";
import { errors } from "../../kit/errors.ts";
import type { ErrorReference, Reference } from "../../kit/openapi/reference.ts";
import {
  detailedErrorSchema,
  resourceChanged,
  resourceMissing,
  validationFailed,
} from "../../kit/openapi/request-errors.ts";
import { resourceExample } from "../../kit/openapi/resource-examples.ts";
import { resourceSchema } from "../../kit/openapi/resource-schemas.ts";
import { idSchema, integerSchema, named, nullable, objectSchema } from "../../kit/openapi/schema.ts";
import { mergeFields } from "./merge-endpoints.ts";
import { MOVED_TABLES } from "./merge-queries.ts";
import { underWaySentence, undoRefusals } from "./merge-sentences.ts";
import { UNDO_DAYS } from "./stored-merge-queries.ts";

const choice = named("MergeChoice", { type: "string", enum: ["keep", "from"] });
const count = integerSchema(0);
const kinds = [...MOVED_TABLES, "payments"];
const counts = named("MovedCounts", {
  description: "The number of rows of each kind that moved.",
  ...objectSchema(Object.fromEntries(kinds.map((kind) => [kind, count]))),
});
const undoneCounts = named("UndoneCounts", {
  description: "The number of rows of each kind, and of values and external ids of the kept company (`fields`).",
  ...objectSchema(Object.fromEntries(["fields", ...kinds].map((kind) => [kind, count]))),
});
const numbers = (some: Record<string, number>) => Object.fromEntries(kinds.map((kind) => [kind, some[kind] ?? 0]));

const notMergeable: ErrorReference = {
  name: "companiesNotMergeable",
  summary: "Orders of the other company are under way in its own warehouse",
  example: errors.companiesNotMergeable(underWaySentence(2)),
  schema: detailedErrorSchema,
};

const notUndoable: ErrorReference = {
  name: "mergeNotUndoable",
  summary: "A merge that was undone before",
  example: errors.mergeNotUndoable(undoRefusals({ outcome: "already-undone" })),
  schema: detailedErrorSchema,
};

/** The words of the merges' endpoints. */
export function mergeReferences({ update, restore }: ReturnType<typeof companyReferences>) {
  const { resource: company } = update;
  if (company === undefined) throw new Error("companies have no resource");
  const taxIdTaken = restore.errors.filter(({ name }) => name === "taxIdTaken");
  const merge: Reference = {
    operationId: "mergeCompanies",
    tag: mergesTag,
    summary: "Merge another company into one",
    description:
      "The contacts, addresses, invoices, payments, activities and records of `from` move to this company, with their ids. `from` is deleted: " +
      "GET answers 404 with the header `X-Merged-Into`. Its external ids and its fiscal id lead to this company. Fields that are not named keep " +
      `their value; where there is none, they take that of \`from\`. Notes are joined. A merge can be undone for ${UNDO_DAYS} days.`,
    body: {
      schema: named(
        "CompanyMerge",
        objectSchema(
          {
            from: { ...idSchema, description: "The company that goes into this one." },
            fields: named("MergeChoices", {
              type: "object",
              description: "Whose value a field gets: `keep` or `from`.",
              properties: Object.fromEntries(companyFields.map(({ name }) => [name, choice])),
            }),
            dry_run: { type: ["boolean", "null"], description: "True: answers the same, and changes nothing." },
          },
          ["from"],
        ),
      ),
      examples: {
        merge: {
          summary: "The phone of the other one",
          value: { from: 4711, fields: { phone: "from", city: "keep" } },
        },
      },
    },
    success: {
      status: 200,
      tagged: true,
      description: "The kept company.",
      schema: named(
        "CompanyMergeResponse",
        objectSchema({
          data: resourceSchema(company),
          meta: named(
            "CompanyMergeMeta",
            objectSchema({
              merge_id: nullable({ ...idSchema, description: "For the undo. Null of a dry run." }),
              moved: counts,
            }),
          ),
        }),
      ),
      examples: {
        merged: {
          summary: "Merged",
          value: {
            data: resourceExample(company),
            meta: { merge_id: 1, moved: numbers({ contacts: 1, invoices: 2, activities: 4 }) },
          },
        },
      },
    },
    errors: [resourceMissing("Company"), validationFailed(mergeFields, "create"), resourceChanged, notMergeable],
  };
  const undo: Reference = {
    operationId: "undoMerge",
    tag: mergesTag,
    summary: "Undo a merge",
    description:
      `Within ${UNDO_DAYS} days. The merged company returns with everything that moved and is still there. Values of the kept company go back, ` +
      "unless they were changed since. A merge into a company that was merged itself later is undone after that one.",
    success: {
      status: 200,
      description: "What went back, and what stays.",
      schema: named("MergeUndone", objectSchema({ restored: undoneCounts, left: undoneCounts })),
      examples: {
        undone: {
          summary: "A value was changed since",
          value: {
            restored: { fields: 2, ...numbers({ contacts: 1, invoices: 2, activities: 4 }) },
            left: { fields: 1, ...numbers({}) },
          },
        },
      },
    },
    errors: [resourceMissing("Merge"), notUndoable, ...taxIdTaken],
  };
  return { merge, undo } satisfies Record<string, Reference>;
}
