import { found, one, type Endpoint } from "../endpoint.ts";
import { changedBy } from "../platform/fields/writer.ts";
import { childJson } from "./child-json.ts";
import { childQueries } from "./child-queries.ts";
import type { Child } from "./child.ts";

/** POST /api/v1/contacts/{id}/restore and the like, of a company that is there (docs/contract.md 7.1 and 8.1). */
export function restoreChild(child: Child): Endpoint {
  const json = childJson(child);
  const queries = childQueries(child);
  return async ({ database, keyring }, request) => {
    const { actor } = request;
    const restore = async (id: string) => await queries.restore(actor.tenant, database, id, changedBy(actor));
    const row = await found(child.model, request, restore);
    return one(200, json.one(row, { keyring, tenant: actor.tenant }), json.state(row));
  };
}
