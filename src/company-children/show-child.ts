import { found, one, type Endpoint } from "../endpoint.ts";
import { childJson } from "./child-json.ts";
import { childQueries } from "./child-queries.ts";
import type { Child } from "./child.ts";

/** GET /api/v1/contacts/{id} and the like, with the parent company's id and name (docs/contract.md 7.1 and 8.1). */
export function showChild(child: Child): Endpoint {
  const json = childJson(child);
  const queries = childQueries(child);
  return async ({ database, keyring }, request) => {
    const { tenant } = request.actor;
    const row = await found(child.model, request, async (id) => await queries.find(tenant, database, id));
    return one(200, json.withCompany(row, { keyring, tenant }), json.state(row));
  };
}
