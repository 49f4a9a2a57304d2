import { idOf, ok, type Endpoint } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { changedBy } from "../platform/fields/writer.ts";
import { childQueries } from "./child-queries.ts";
import type { Child } from "./child.ts";

/** DELETE /api/v1/contacts/{id} and the like: a soft delete (docs/contract.md 7.1 and 8.1). */
export function deleteChild(child: Child): Endpoint {
  const queries = childQueries(child);
  return async ({ database }, request) => {
    const id = idOf(child.model, request);
    const deleted = await queries.delete(request.actor.tenant, database, id, changedBy(request.actor));
    if (!deleted) throw errors.resourceMissing(child.model, id);
    return ok(`{"message":"${child.model} deleted."}`);
  };
}
