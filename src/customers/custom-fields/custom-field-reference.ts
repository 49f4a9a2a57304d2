import { historyReference } from "../../kit/changes/change-reference.ts";
import { errors } from "../../kit/errors.ts";
import { pagingParameters } from "../../kit/openapi/parameters.ts";
import type { ErrorReference, Reference } from "../../kit/openapi/reference.ts";
import { detailedErrorSchema } from "../../kit/openapi/request-errors.ts";
import { minimalExample, resourceExample } from "../../kit/openapi/resource-examples.ts";
import {
  creating,
  deleting,
  showing,
  successWithOne,
  successWithPage,
  updating,
} from "../../kit/openapi/resource-references.ts";
import { bodySchema, resourceSchema } from "../../kit/openapi/resource-schemas.ts";
import { everyonesMembers, type Resource } from "../../kit/openapi/resource.ts";
import { nullable, timestampSchema } from "../../kit/openapi/schema.ts";
import { definitionMembers } from "./custom-field-json.ts";
import { customNouns, definitionFields, FIELD_MODEL } from "./custom-field.ts";

const resource: Resource = {
  tag: {
    name: "Custom fields",
    description: "The fields that a workspace defines for its own records.",
  },
  model: FIELD_MODEL.replace(" f", "F"),
  singular: "custom field",
  plural: "custom fields",
  fields: definitionFields,
  members: definitionMembers.map(({ name }) => name),
  membersOfOne: [],
  readOnly: {
    ...everyonesMembers,
    archived_at: {
      schema: nullable({ ...timestampSchema, description: "When it was archived." }),
      example: null,
    },
  },
  searched: [],
  order: "ascending `noun`, `position` and `id`",
  change: { label: "Prices", help: null },
};

const inUse: ErrorReference = {
  name: "customFieldInUse",
  summary: "A field that is not archived",
  example: errors.customFieldInUse(),
  schema: detailedErrorSchema,
};

const creatingField = creating(resource, { twice: "is refused, because the label is taken" });
// A field without options is no choice.
const plain = { noun: "company", label: "Route", kind: "text" };
const minimal = { summary: "Required fields only", value: plain };
const made = { ...minimalExample(resource), ...plain, key: "route", position: 1 };

const deletingField = deleting(resource);

/** The documentation of the endpoints of custom fields. */
export const customFieldReference = {
  list: {
    operationId: "listCustomFields",
    resource,
    tag: resource.tag,
    summary: "List the custom fields",
    description: `A page, with the exact total. Every key that may read companies may read them. Order: ${resource.order}.`,
    query: [
      {
        name: "noun",
        in: "query",
        description: "Only those of these records.",
        schema: { type: "string", enum: customNouns },
      },
      {
        name: "archived",
        in: "query",
        description: "`true`: the archived ones instead of the others.",
        schema: { type: "boolean" },
      },
      ...pagingParameters,
    ],
    success: successWithPage(resourceSchema(resource), resourceExample(resource)),
    errors: [],
  },
  create: {
    ...creatingField,
    body: { schema: bodySchema(resource, "create"), examples: { ...creatingField.body?.examples, minimal } },
    success: successWithOne(201, "The new custom field.", resourceSchema(resource), {
      minimal: { summary: minimal.summary, value: { data: made } },
      complete: { summary: "Every field", value: { data: resourceExample(resource) } },
    }),
  },
  show: showing(resource),
  update: updating(resource),
  delete: {
    ...deletingField,
    description: `${deletingField.description} Only an archived field can be deleted. Its values are removed afterwards.`,
    errors: [...deletingField.errors, inUse],
  },
  history: historyReference(resource, "custom_field"),
} satisfies Record<string, Reference>;
