import { LIST_ROW_BYTES, writeRows } from "../../platform/fields/long-texts.ts";
import { pageBody, parsePage } from "../../platform/http/lists/pagination.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { idOf, ok, type Endpoint } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { changeJson } from "./change-json.ts";
import { listChanges, wholeChanges } from "./change-queries.ts";
import type { ChangeType } from "./change.ts";

/** The parts of a resource kind that this endpoint needs. */
type ResourceKind = {
  model: string;
  changeType: ChangeType;
  exists: (tenant: TenantId, database: Database, id: string) => Promise<boolean>;
};

/** GET /api/v1/companies/{id}/history and others: the resource's own changes, newest first (docs/contract.md 13.2). */
export function listHistory({ model, changeType, exists }: ResourceKind): Endpoint {
  return async ({ database }, request) => {
    const { tenant } = request.actor;
    const id = idOf(model, request);
    const page = parsePage(request.query);
    await request.reserve(page.perPage * LIST_ROW_BYTES);
    const [hasResource, { rows, total }] = await Promise.all([
      exists(tenant, database, id),
      listChanges(tenant, database, page, { type: changeType, resource: id }),
    ]);
    if (!hasResource) throw errors.resourceMissing(model, id);
    const whole = async (ids: string[]) => await wholeChanges(tenant, database, ids);
    const items = writeRows({ rows, write: changeJson, whole });
    return ok(pageBody({ items, count: rows.length, total, page, path: request.url(), query: request.query }));
  };
}
