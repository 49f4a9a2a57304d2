import { listHistory } from "../../kit/changes/list-history.ts";
import type { Deps } from "../../kit/deps.ts";
import {
  found,
  idOf,
  ok,
  refuseUnwritten,
  type ApiRequest,
  type Endpoint,
  answerBehindCursor,
} from "../../kit/endpoint.ts";
import { errors } from "../../kit/errors.ts";
import { lookUp } from "../../kit/external-ids/look-up.ts";
import { LIST_ROW_BYTES } from "../../platform/fields/long-texts.ts";
import { changedBy } from "../../platform/fields/writer.ts";
import { expectedVersions } from "../../platform/http/entity-tag.ts";
import { pageBody, parsePage } from "../../platform/http/lists/pagination.ts";
import { sinceOf, updatedSince } from "../../platform/http/lists/since.ts";
import type { Row } from "../../platform/postgres/statement.ts";
import { allChildrenQueries } from "./all-children-queries.ts";
import { childJson, type ChildJson } from "./child-json.ts";
import { childQueries } from "./child-queries.ts";
import type { Child } from "./child.ts";
import { listChildren, itemsOfList } from "./list-children.ts";
import { writeChild } from "./write-child.ts";

/** The endpoints of a kind of child, below its company's path and its own path (docs/contract.md 7.1 and 8.1). */
export function childEndpoints(
  child: Child,
): Record<"list" | "listAll" | "create" | "show" | "update" | "delete" | "restore" | "history", Endpoint> {
  const { model, changeType } = child;
  const [json, queries, write] = [childJson(child), childQueries(child), writeChild(child)];
  const answer = (status: number, row: Row, { keyring }: Deps, { actor, query }: ApiRequest) =>
    json.answer(status, row, { keyring, tenant: actor.tenant }, json.included(query));
  return {
    list: listChildren(child, json, queries),
    listAll: listAllChildren(child, json, queries),

    /** `company_id` is the path's. */
    async create(deps, request) {
      const companyId = idOf("Company", request, "company");
      const written = await write.create(deps, request.actor, companyId, request.input);
      refuseUnwritten(written, "Company", companyId);
      return answer(201, written.row, deps, request);
    },

    /** With the company's id and name. */
    async show({ database, keyring }, request) {
      const { tenant } = request.actor;
      const row = await found(model, request, async (id) => await queries.find(tenant, database, id));
      return json.answerWithCompany(200, row, { keyring, tenant }, json.included(request.query));
    },

    /** A partial update. */
    async update(deps, request) {
      const id = idOf(model, request);
      const { actor, input, ifMatch } = request;
      const written = await write.update(deps, actor, id, input, expectedVersions(ifMatch, id));
      refuseUnwritten(written, model, id);
      return answer(200, written.row, deps, request);
    },

    /** A soft delete. */
    async delete({ database }, request) {
      const id = idOf(model, request);
      const { actor, ifMatch } = request;
      const expected = expectedVersions(ifMatch, id);
      if (!(await queries.delete(actor.tenant, database, id, changedBy(actor), expected))) {
        const isThere = expected !== null && (await queries.exists(actor.tenant, database, id));
        throw isThere ? errors.resourceChanged() : errors.resourceMissing(model, id);
      }
      return ok(`{"message":"${child.model} deleted."}`);
    },

    /** Only for a child of a live company. */
    async restore(deps, request) {
      const { actor } = request;
      const restore = async (id: string) => await queries.restore(actor.tenant, deps.database, id, changedBy(actor));
      return answer(200, await found(model, request, restore), deps, request);
    },

    history: listHistory({ model, changeType, exists: async (...asked) => await queries.exists(...asked) }),
  };
}

/** GET /api/v1/contacts and /api/v1/addresses: those of all companies (docs/contract.md 7.1 and 8.1). */
function listAllChildren(child: Child, json: ChildJson, ofCompany: ReturnType<typeof childQueries>): Endpoint {
  const queries = allChildrenQueries(child);
  return async (deps, request) => {
    const { database } = deps;
    const { query } = request;
    const { tenant } = request.actor;
    const page = parsePage(query);
    await request.reserve(page.perPage * LIST_ROW_BYTES);
    const itemsOf = itemsOfList(json, ofCompany, deps, request);
    const since = updatedSince(query);
    const found = await lookUp(tenant, database, child.lookUps, query);
    const among = async () => {
      if (since === null) return [];
      return found === null && since !== undefined ? await queries.changed(tenant, database, since) : found?.ids;
    };
    const asked = { search: query.get("search") ?? null, since: since ?? null, among: await among() };
    const behind = await answerBehindCursor(deps, request, {
      cursorsOf: ["all", child.table, asked.search, ...sinceOf(query), ...(found?.asked ?? [])],
      beginning: ["0"],
      read: async (position, perPage) => await queries.walk(tenant, database, asked, position, perPage),
      itemsOf,
    });
    if (behind !== null) return behind;
    const { rows, total } = await queries.list(tenant, database, asked, page);
    return ok(pageBody({ items: itemsOf(rows), count: rows.length, total, page, path: request.url(), query }));
  };
}
