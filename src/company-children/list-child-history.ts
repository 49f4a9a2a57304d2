import { listHistory } from "../changes/list-history.ts";
import type { Endpoint } from "../endpoint.ts";
import { childQueries } from "./child-queries.ts";
import type { Child } from "./child.ts";

/** GET /api/v1/contacts/{id}/history and the like. */
export function listChildHistory(child: Child): Endpoint {
  const { model, changeType } = child;
  const queries = childQueries(child);
  return listHistory({
    model,
    changeType,
    exists: async (tenant, database, id) => await queries.exists(tenant, database, id),
  });
}
