import { pageSchema } from "../openapi/page-schemas.ts";
import { pagingParameters } from "../openapi/parameters.ts";
import type { Reference } from "../openapi/reference.ts";
import { resourceMissing } from "../openapi/request-errors.ts";
import { pageExample } from "../openapi/resource-examples.ts";
import { article } from "../openapi/resource-references.ts";
import type { Resource } from "../openapi/resource.ts";
import { idSchema, named, nullable, objectSchema, timestampSchema } from "../openapi/schema.ts";
import { changeActions, changeTypes, type ChangeType } from "./change.ts";

const difference = named("Difference", {
  description:
    "The values before and after, as the API answers them. Of encrypted fields and lists: that they changed.",
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
    company_id: { ...idSchema, description: "Of a company, its own id." },
    action: named("ChangeAction", { type: "string", enum: [...changeActions, "hidden", "shown"] }),
    changed: {
      type: "object",
      description: "By field. Of a creation, those with a value; of a deletion or restoration, none.",
      additionalProperties: difference,
    },
    by: {
      description: "Who did it.",
      ...named(
        "ChangeAuthor",
        objectSchema(
          {
            kind: named("ChangeAuthorKind", { type: "string", enum: ["key", "user", "command", "import", "worker"] }),
            id: nullable({ ...idSchema, description: "Null of others than keys and users." }),
            name: nullable({
              type: "string",
              description: "The present name.",
              examples: ["ERP"],
            }),
            via: { type: "string", const: "mcp", description: "By an assistant." },
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
    description: "A page, newest first, with the exact total. A write that changes nothing leaves no change.",
    query: pagingParameters,
    success: {
      status: 200,
      description: "The page.",
      schema: pageSchema(changeSchema),
      examples: (url) => ({
        page: { summary: "The second page", value: pageExample(changeExample(resource, type), url) },
      }),
    },
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
