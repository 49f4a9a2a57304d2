import { pagingParameters } from "../openapi/parameters.ts";
import type { Reference } from "../openapi/reference.ts";
import { resourceMissing } from "../openapi/request-errors.ts";
import { article, successWithPage } from "../openapi/resource-references.ts";
import type { Resource } from "../openapi/resource.ts";
import { idSchema, named, nullable, objectSchema, timestampSchema } from "../openapi/schema.ts";
import { changeActions, changeTypes, type ChangeType } from "./change.ts";

const difference = named("Difference", {
  description:
    "The values before and after, as the API returns them. For encrypted fields and lists, only `changed`: true.",
  anyOf: [
    named("DifferenceOfValues", objectSchema({ from: {}, to: {} })),
    named("DifferenceUntold", objectSchema({ changed: { type: "boolean", const: true } })),
  ],
});

/** The schema of a change, used by histories and the feed. */
export const changeSchema = named("Change", {
  description: "The effect of one write on one resource.",
  ...objectSchema({
    id: idSchema,
    at: timestampSchema,
    type: named("ChangeType", { type: "string", enum: changeTypes }),
    resource_id: idSchema,
    company_id: nullable({
      ...idSchema,
      description: "The company that the resource belongs to. For a company, its own id; null for a custom field.",
    }),
    action: named("ChangeAction", { type: "string", enum: [...changeActions, "hidden", "shown"] }),
    changed: {
      type: "object",
      description:
        "The changed fields by their names. A creation has those with a value. A deletion or restoration has none.",
      additionalProperties: difference,
    },
    by: {
      description: "The author of the change.",
      ...named(
        "ChangeAuthor",
        objectSchema(
          {
            kind: named("ChangeAuthorKind", { type: "string", enum: ["key", "user", "command", "import", "worker"] }),
            id: nullable({ ...idSchema, description: "Null unless `kind` is key or user." }),
            name: nullable({
              type: "string",
              description: "The name as it is now.",
              examples: ["ERP"],
            }),
            via: { type: "string", const: "mcp", description: "Only if an assistant made the change." },
            confirmed_by: {
              description: "Only if a user confirmed the assistant's change on the page.",
              ...named(
                "ChangeConfirmer",
                objectSchema({ id: idSchema, name: nullable({ type: "string", examples: ["Ana Pop"] }) }),
              ),
            },
          },
          ["kind", "id", "name"],
        ),
      ),
    },
  }),
});

/** The documentation of a resource's history. */
export function historyReference(resource: Resource, type: ChangeType): Reference {
  const { model, tag } = resource;
  return {
    operationId: `list${model}History`,
    tag,
    summary: `List the changes of ${article(resource)}`,
    description: "A page, newest first, with the exact total. A write that changes nothing is not listed.",
    query: pagingParameters,
    success: successWithPage(changeSchema, changeExample(resource, type), "The second page"),
    errors: [resourceMissing(model)],
  };
}

/** The change that the example update makes. */
function changeExample({ fields, change }: Resource, type: ChangeType): Record<string, unknown> {
  const differences = fields.flatMap(({ name, kind, encrypted, example }) => {
    if (!(name in change)) return [];
    return [[name, encrypted || kind === "list" ? { changed: true } : { from: example, to: change[name] }]];
  });
  return {
    id: 230,
    at: "2026-11-21T14:02:31.000250Z",
    type,
    resource_id: 1,
    company_id: 1,
    action: "updated",
    changed: Object.fromEntries(differences),
    by: { kind: "key", id: 3, name: "ERP" },
  };
}
