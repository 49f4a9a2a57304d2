import { historyReference } from "../../kit/changes/change-reference.ts";
import { errors } from "../../kit/errors.ts";
import { alikeToSchema, batching, dryRunSchema } from "../../kit/openapi/batch-reference.ts";
import type { ErrorReference, Reference } from "../../kit/openapi/reference.ts";
import { detailedErrorSchema, resourceMissing } from "../../kit/openapi/request-errors.ts";
import { resourceExample } from "../../kit/openapi/resource-examples.ts";
import { creating, deleting, listing, restoring, showing, updating } from "../../kit/openapi/resource-references.ts";
import { answerSchema, fieldValues } from "../../kit/openapi/resource-schemas.ts";
import {
  everyonesMembers,
  metadataMember,
  type IncludedWord,
  type ReadOnlyMember,
  type Resource,
} from "../../kit/openapi/resource.ts";
import {
  definitionOf,
  idSchema,
  integerSchema,
  named,
  nullable,
  objectSchema,
  type Schema,
} from "../../kit/openapi/schema.ts";
import { sorts } from "./company-filters.ts";
import { companyMembers } from "./company-json.ts";
import { companyFields, searchedFields, TAX_ID_MAX } from "./company.ts";

const userRef = named("UserRef", objectSchema({ id: idSchema, name: { type: "string", examples: ["Ana Ionescu"] } }));
const companyRef = named(
  "CompanyRef",
  objectSchema({ id: idSchema, name: { type: "string", examples: ["Transilvania Foods SRL"] } }),
);

const plain: Resource = {
  tag: {
    name: "Companies",
    description: "The firms that you sell to. Contacts, addresses and invoices belong to a company.",
  },
  model: "Company",
  singular: "company",
  plural: "companies",
  fields: companyFields,
  hasExternal: true,
  hasCustom: true,
  members: [...companyMembers.map(({ name }) => name), "assigned_user"],
  membersOfOne: ["contacts_count", "addresses_count"],
  readOnly: {
    ...everyonesMembers,
    metadata: metadataMember,
    wms_subdomain: {
      schema: nullable({
        type: "string",
        description: "The company's warehouse system. Set in the web interface only.",
        examples: ["transilvania"],
      }),
      example: null,
    },
    assigned_user: {
      schema: { ...nullable(userRef), description: "The user that `assigned_to` names." },
      example: { id: 1, name: "Ana Ionescu" },
      minimal: null,
    },
    contacts_count: countOf("Contacts", 2),
    addresses_count: countOf("Addresses", 1),
  },
  lookUps: [
    {
      name: "tax_id",
      in: "query",
      description: "The one with this tax id, compared without case.",
      schema: { type: "string", examples: ["RO18547290"] },
    },
  ],
  searched: [...searchedFields],
  order: "ascending `id`, so that a scan page by page neither skips nor repeats a company",
  change: { status: "inactive", notes: null },
};

const taxIdTaken: ErrorReference = {
  name: "taxIdTaken",
  summary: "A tax_id that another company has",
  example: errors.taxIdTaken({ id: 1, name: "Transilvania Foods SRL", tax_id: "RO18547290" }),
  meaning: "The `tax_id` belongs to another company of the tenant.",
  schema: named(
    "TaxIdTaken",
    objectSchema({
      error: { type: "string", const: "Company with this tax_id already exists." },
      data: {
        description: "The company that has the `tax_id`.",
        ...named("TaxIdHolder", objectSchema({ id: idSchema, name: { type: "string" }, tax_id: { type: "string" } })),
      },
    }),
  ),
};

const merged: ErrorReference = {
  name: "companyMerged",
  summary: "A company that was merged into another",
  example: errors.companyMerged("1"),
  schema: detailedErrorSchema,
};

const deletionBlocked: ErrorReference = {
  name: "deletionBlocked",
  summary: "A company with invoices and tickets",
  example: errors.deletionBlocked(["invoices", "tickets"]),
  schema: named(
    "DeletionBlocked",
    objectSchema({
      error: { type: "string", const: "Cannot delete company with related records." },
      details: {
        type: "string",
        description: "The kinds in the way, among invoices, offers, deals, tickets and subscriptions, in that order.",
        pattern: String.raw`^Blocked by: \w+(, \w+)*\.$`,
      },
    }),
  ),
};

const filters: readonly Schema[] = [
  {
    name: "status",
    in: "query",
    description: "Companies of this status. Any other value matches nothing.",
    schema: { ...fieldValues(plain, "status"), examples: ["active"] },
  },
  {
    name: "assigned_to",
    in: "query",
    description: "Companies assigned to the user with this id. Any other value matches nothing.",
    schema: { ...integerSchema(1), examples: [1] },
  },
  {
    name: "sort",
    in: "query",
    description:
      "The order: by `id` or by `name`; `-` reverses it. Names are compared without case and accents. Companies of the same name " +
      "are in the order of `tax_id`, `email`, `city` and `id`. Any other value means `id`.",
    schema: named("CompanySort", { type: "string", enum: sorts }),
  },
];

/** A kind of resource that companies embed, with the schema of one. */
export type EmbeddedReference = IncludedWord & { item: Schema };

/** The words of the companies' endpoints. */
export function companyReferences(kinds: readonly EmbeddedReference[]) {
  const embedded = kinds.map(({ word, capability, item }) => ({
    word,
    capability,
    schema: embeddedSchema(word, item),
  }));
  const company: Resource = { ...plain, embedded };
  return {
    list: listing(company, { filters }),
    create: creatingCompany(company),
    show: { ...showing(company), errors: [resourceMissing("Company", { "x-merged-into": "61" })] },
    update: updating(company, [taxIdTaken]),
    delete: deletingCompany(company),
    restore: restoring(company, ", with its contacts and addresses", [taxIdTaken, merged]),
    history: historyReference(company, "company"),
    batch: batching(company, { by: "tax_id" }),
  } satisfies Record<string, Reference>;
}

function embeddedSchema(word: string, item: Schema): Schema {
  const name = `Embedded${word.charAt(0).toUpperCase()}${word.slice(1)}`;
  const data = { type: "array", maxItems: 100, items: item };
  const description = `The ${word} of the company, at most 100, in the order of their list. Only GET with \`include=${word}\` returns them.`;
  return named(name, {
    description,
    ...objectSchema({ data, more: { type: "boolean", description: "Whether the company has others." } }),
  });
}

/** The members by which an item of a batch says which company it belongs to. */
export const parentNames: Record<string, Schema> = {
  company_id: { ...idSchema, description: "The company of a new resource." },
  company_tax_id: {
    type: "string",
    maxLength: TAX_ID_MAX,
    description: "The company of a new resource, by its `tax_id`.",
  },
  company_external: {
    type: "object",
    description: "The company of a new resource, by its external ids, in the form of `external`.",
    additionalProperties: { type: ["string", "null"] },
  },
};

/** The members of what belongs to a company. */
export const parentMembers: Resource["readOnly"] = {
  company_id: { schema: { ...idSchema, description: "The company that it belongs to." }, example: 1 },
  company: {
    schema: { ...companyRef, description: "The company that it belongs to." },
    example: { id: 1, name: "Transilvania Foods SRL" },
  },
};

function creatingCompany(company: Resource): Reference {
  const reference = creating(company, {
    twice: "creates two companies, unless it has a `tax_id`: then the second returns 409, which names the first",
    errors: [taxIdTaken],
  });
  const { schema = {}, examples = {} } = reference.body ?? {};
  const { properties, ...create } = definitionOf(schema);
  const tried = {
    ...company,
    readOnly: { ...company.readOnly, id: { schema: { const: 0, description: "None." }, example: 0 } },
  };
  const description = "A company that a dry run did not create.";
  const [data, evidence] = [resourceExample(tried), ["name"]];
  return {
    ...reference,
    description: `${reference.description} With \`dry_run\`, nothing is created, and \`alike\` has stored companies that look like it.`,
    body: {
      schema: named("CompanyCreate", { ...create, properties: { ...(properties as object), dry_run: dryRunSchema } }),
      examples: { ...examples, tried: { summary: "A dry run", value: { name: data.name, dry_run: true } } },
    },
    done: {
      status: 200,
      description: "What a dry run would create.",
      schema: named(
        "TriedCompanyResponse",
        objectSchema({
          data: named("TriedCompany", answerSchema(tried, company.members, description)),
          alike: alikeToSchema,
        }),
      ),
      examples: {
        tried: {
          summary: "A dry run",
          value: { data, alike: [{ id: 7, name: "TRANSILVANIA FOODS", evidence }] },
        },
      },
    },
  };
}

function deletingCompany(company: Resource): Reference {
  const reference = deleting(company);
  return {
    ...reference,
    description:
      "Only a company without invoices, offers, deals, tickets and subscriptions can be deleted. Its contacts and " +
      "addresses disappear with it, and its `tax_id` is free again.",
    errors: [...reference.errors, deletionBlocked],
  };
}

function countOf(what: string, example: number): ReadOnlyMember {
  const description = `${what} that are not deleted.`;
  return { schema: { ...integerSchema(0), examples: [2], description }, example };
}
