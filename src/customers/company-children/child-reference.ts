import { historyReference } from "../../kit/changes/change-reference.ts";
import { batching } from "../../kit/openapi/batch-reference.ts";
import type { ErrorReference, Reference } from "../../kit/openapi/reference.ts";
import { resourceMissing } from "../../kit/openapi/request-errors.ts";
import { creating, deleting, listing, restoring, showing, updating } from "../../kit/openapi/resource-references.ts";
import { resourceSchema } from "../../kit/openapi/resource-schemas.ts";
import { everyonesMembers, type Resource } from "../../kit/openapi/resource.ts";
import type { Schema } from "../../kit/openapi/schema.ts";
import { apiFields } from "../../platform/fields/fields.ts";
import { parentMembers, parentNames } from "../companies/company-reference.ts";
import { childMembers } from "./child-json.ts";
import type { Child } from "./child.ts";

/** The documentation of a noun that belongs to a company. `readOnly`: its own read-only members. */
export type ChildReferenceWords = Pick<Resource, "tag" | "singular" | "order" | "change" | "readOnly" | "lookUps"> & {
  /** The error of the restore of one that was merged into another. */
  merged?: ErrorReference;
};

/** The documentation of the endpoints in this folder. */
export function childReference(
  child: Child,
  { merged, ...words }: ChildReferenceWords,
): Record<"list" | "listAll" | "create" | "show" | "update" | "delete" | "restore" | "history" | "batch", Reference> & {
  item: Schema;
} {
  const resource: Resource = {
    ...words,
    model: child.model,
    plural: child.table,
    fields: apiFields(child.fields),
    hasExternal: true,
    ...(child.hasCustom && { hasCustom: true }),
    members: [
      ...childMembers(child).flatMap(({ name, isOurs }) => (isOurs === true ? [] : [name])),
      ...(child.computed === null ? [] : [child.computed.name]),
    ],
    membersOfOne: ["company"],
    readOnly: { ...everyonesMembers, ...parentMembers, ...words.readOnly },
    searched: child.searched,
  };
  const errors = [resourceMissing("Company")];
  return {
    list: listing(resource, { where: " of a company", errors }),
    listAll: listingAll(resource),
    create: creating(resource, { errors }),
    show:
      child.merged === undefined
        ? showing(resource)
        : { ...showing(resource), errors: [resourceMissing(child.model, { "x-merged-into": "61" })] },
    update: updating(resource),
    delete: deleting(resource),
    restore: restoring(resource, ", unless its company is deleted", merged === undefined ? [] : [merged]),
    history: historyReference(resource, child.changeType),
    batch: batching(resource, { names: parentNames }),
    item: resourceSchema(resource),
  };
}

/** The list of all companies': with one example, because its pages look like those of a company's list. */
function listingAll(resource: Resource): Reference {
  const reference = listing({ ...resource, order: "ascending `id`" }, { where: " of all companies" });
  const { examples } = reference.success;
  const cursor = (url: string) => Object.entries(typeof examples === "function" ? examples(url) : examples).slice(-1);
  return {
    ...reference,
    resource,
    operationId: `listAll${resource.tag.name}`,
    success: { ...reference.success, examples: (url) => Object.fromEntries(cursor(url)) },
  };
}
