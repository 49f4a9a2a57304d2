import { historyReference } from "../changes/change-reference.ts";
import { parentMembers, parentNames } from "../companies/company-reference.ts";
import { batching } from "../openapi/batch-reference.ts";
import type { Reference } from "../openapi/reference.ts";
import { resourceMissing } from "../openapi/request-errors.ts";
import { creating, deleting, listing, restoring, showing, updating } from "../openapi/resource-references.ts";
import { everyonesMembers, type Resource } from "../openapi/resource.ts";
import { childMembers } from "./child-json.ts";
import type { Child } from "./child.ts";

/** The documentation of a noun that belongs to a company. `readOnly`: its own read-only members. */
export type ChildReferenceWords = Pick<Resource, "tag" | "singular" | "order" | "change" | "readOnly" | "lookUps">;

/** The documentation of the endpoints in this folder. */
export function childReference(
  child: Child,
  words: ChildReferenceWords,
): Record<"list" | "listAll" | "create" | "show" | "update" | "delete" | "restore" | "history" | "batch", Reference> {
  const resource: Resource = {
    ...words,
    model: child.model,
    plural: child.table,
    fields: child.fields,
    hasExternal: true,
    members: [
      ...childMembers(child).map(({ name }) => name),
      ...(child.computed === null ? [] : [child.computed.name]),
    ],
    membersOfOne: ["company"],
    readOnly: { ...everyonesMembers, ...parentMembers, ...words.readOnly },
    searched: child.searched,
  };
  const errors = [resourceMissing("Company")];
  return {
    list: listing(resource, { where: " of a company", errors }),
    listAll: {
      ...listing({ ...resource, order: "ascending `id`" }, { where: " of all companies" }),
      operationId: `listAll${words.tag.name}`,
    },
    create: creating(resource, { errors }),
    show: showing(resource),
    update: updating(resource),
    delete: deleting(resource),
    restore: restoring(resource, ", unless its company is deleted"),
    history: historyReference(resource, child.changeType),
    batch: batching(resource, { names: parentNames }),
  };
}
