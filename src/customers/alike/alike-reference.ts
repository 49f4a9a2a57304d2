import { cursorPageSchema } from "../../kit/openapi/page-schemas.ts";
import { cursorParameter, pagingParameters } from "../../kit/openapi/parameters.ts";
import type { Reference } from "../../kit/openapi/reference.ts";
import { cursorInvalid, deletedSchema, resourceMissing } from "../../kit/openapi/request-errors.ts";
import type { Tag } from "../../kit/openapi/resource.ts";
import { idSchema, named, nullable, objectSchema } from "../../kit/openapi/schema.ts";
import { evidenceKinds } from "./compare-companies.ts";

export const mergesTag: Tag = {
  name: "Merges",
  description: "Companies that look the same, and how two of them become one.",
};

const text = nullable({ type: "string" });
const member = named(
  "AlikeCompany",
  objectSchema({ id: idSchema, name: { type: "string" }, tax_id: text, city: text }),
);
const pair = named(
  "AlikePair",
  objectSchema({
    companies: { type: "array", minItems: 2, maxItems: 2, items: member },
    evidence: { type: "array", items: named("AlikeEvidence", { type: "string", enum: evidenceKinds }) },
    sure: {
      type: "boolean",
      description: "The same fiscal id, or the same phone and a similar name. Two fiscal ids are never a pair.",
    },
  }),
);

const example = {
  companies: [
    { id: 1, name: "Transilvania Foods SRL", tax_id: "RO18547290", city: "Cluj-Napoca" },
    { id: 7, name: "TRANSILVANIA FOODS", tax_id: null, city: null },
  ],
  evidence: ["phone", "name"],
  sure: true,
};

/** The words of the endpoints of pairs. */
export const alikeReference = {
  list: {
    operationId: "listAlikeCompanies",
    tag: mergesTag,
    summary: "List companies that look the same",
    description:
      "Pairs, the sure ones first, without those that were said not to be the same. They are as new as the companies; " +
      "of many new companies, the pairs come within minutes.",
    query: [...pagingParameters.filter(({ name }) => name === "per_page"), cursorParameter],
    success: {
      status: 200,
      description: "The page.",
      schema: cursorPageSchema(pair, "AlikePair"),
      examples: { pairs: { summary: "One pair", value: { data: [example], next_cursor: null, per_page: 50 } } },
    },
    errors: [cursorInvalid],
  },
  say: {
    operationId: "sayNotAlike",
    tag: mergesTag,
    summary: "Say that two companies are not the same",
    description: "They are never a pair again. It is in the history of the company. Sent twice, it changes nothing.",
    success: {
      status: 200,
      description: "It is stored.",
      schema: deletedSchema,
      examples: { stored: { summary: "Stored", value: { message: "The companies are not the same." } } },
    },
    errors: [resourceMissing("Company")],
  },
  takeBack: {
    operationId: "takeBackNotAlike",
    tag: mergesTag,
    summary: "Take back that two companies are not the same",
    description: "They may be a pair again.",
    success: {
      status: 200,
      description: "It is taken back.",
      schema: deletedSchema,
      examples: { takenBack: { summary: "Taken back", value: { message: "The companies may be the same." } } },
    },
    errors: [resourceMissing("Company")],
  },
} satisfies Record<string, Reference>;
