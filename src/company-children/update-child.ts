import { idOf, one, type Endpoint } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { expectedVersions } from "../platform/http/entity-tag.ts";
import { childJson } from "./child-json.ts";
import type { Child } from "./child.ts";
import { writeChild } from "./write-child.ts";

/** PUT /api/v1/contacts/{id} and the like: a partial update (docs/contract.md 7.1 and 8.1). */
export function updateChild(child: Child): Endpoint {
  const json = childJson(child);
  const write = writeChild(child);
  return async (deps, request) => {
    const { actor, input } = request;
    const id = idOf(child.model, request);
    const written = await write.update(deps, actor, id, input, expectedVersions(request.ifMatch, id));
    if (written.outcome === "missing") throw errors.resourceMissing(child.model, id);
    if (written.outcome === "invalid") throw errors.validationFailed(written.messages);
    if (written.outcome === "outdated") throw errors.resourceChanged();
    return one(200, json.one(written.row, { keyring: deps.keyring, tenant: actor.tenant }), json.state(written.row));
  };
}
