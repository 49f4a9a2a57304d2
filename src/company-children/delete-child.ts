import { idOf, ok, type Endpoint } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { changedBy } from "../platform/fields/writer.ts";
import { expectedVersions } from "../platform/http/entity-tag.ts";
import { childDeleted, childQueries } from "./child-queries.ts";
import type { Child } from "./child.ts";

/** DELETE /api/v1/contacts/{id} and the like: a soft delete (docs/contract.md 7.1 and 8.1). */
export function deleteChild(child: Child): Endpoint {
  const queries = childQueries(child);
  return async ({ database }, request) => {
    const id = idOf(child.model, request);
    const { actor, ifMatch } = request;
    const expected = expectedVersions(ifMatch, id);
    if (!(await queries.delete(actor.tenant, database, id, changedBy(actor), expected))) {
      const isThere = expected !== null && (await queries.exists(actor.tenant, database, id));
      throw isThere ? errors.resourceChanged() : errors.resourceMissing(child.model, id);
    }
    return ok(childDeleted(child));
  };
}
