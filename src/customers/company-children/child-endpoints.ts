import { listHistory } from "../../kit/changes/list-history.ts";
import type { Deps } from "../../kit/deps.ts";
import {
  deletionAnswer,
  idOf,
  refuseUnwritten,
  withMembers,
  type ApiRequest,
  type Endpoint,
} from "../../kit/endpoint.ts";
import { errors } from "../../kit/errors.ts";
import { listEndpoint, type ApiList } from "../../kit/list-endpoint.ts";
import { apiInput } from "../../platform/fields/fields.ts";
import { LIST_ROW_BYTES, writeRows } from "../../platform/fields/long-texts.ts";
import { changedBy } from "../../platform/fields/writer.ts";
import { expectedVersions } from "../../platform/http/entity-tag.ts";
import type { Row } from "../../platform/postgres/statement.ts";
import type { ReadFilters } from "../../platform/reads/filters.ts";
import { embeddedKind, type EmbeddedKind } from "../companies/embedded.ts";
import { foundOrMerged, restoredOrMerged } from "../companies/found-or-merged.ts";
import { companyInPath } from "../companies/require-company.ts";
import { customSecrets, customTableOf } from "../custom-fields/defined-fields.ts";
import { childJson } from "./child-json.ts";
import { childQueries } from "./child-queries.ts";
import { changedChildren, childReads } from "./child-reads.ts";
import type { Child } from "./child.ts";
import { writeChild } from "./write-child.ts";

/** The endpoints of a kind of child, below its company's path and its own path (docs/contract.md 7.1 and 8.1). */
export function childEndpoints(
  child: Child,
): Record<"list" | "listAll" | "create" | "show" | "update" | "delete" | "restore" | "history", Endpoint> {
  const { model, changeType } = child;
  const [json, queries, reads, write] = [childJson(child), childQueries(child), childReads(child), writeChild(child)];
  const listed: Pick<ApiList<ReadFilters, string>, "type" | "bytesOf" | "itemsOf" | "custom"> = {
    type: changeType,
    ...(child.hasCustom && { custom: async (tenant, database) => await customTableOf(tenant, database, child) }),
    bytesOf: ({ perPage }) => perPage * LIST_ROW_BYTES,
    itemsOf: (deps, { actor: { tenant }, query }) => {
      const included = json.included(query);
      const whole = async (ids: string[]) => await reads.ofCompany.whole(tenant, deps.database, ids);
      return async (rows) => {
        const secrets = await customSecrets(deps, tenant, child);
        const write = (row: Row) => withMembers(json.one(row, secrets), included(row));
        return writeRows({ rows, write, whole });
      };
    },
  };
  const answer = async (status: number, row: Row, deps: Deps, { actor, query }: ApiRequest) =>
    json.answer(status, row, await customSecrets(deps, actor.tenant, child), json.included(query));
  return {
    /** GET /api/v1/companies/{company}/contacts and others. */
    list: listEndpoint({ ...listed, reads: reads.ofCompany, parent: companyInPath }),

    /** GET /api/v1/contacts and others: those of all companies. */
    listAll: listEndpoint({
      ...listed,
      reads: reads.ofAll,
      changedSince: async (tenant, database, since) => await changedChildren(tenant, database, child, since),
    }),

    /** `company_id` is the path's. */
    async create(deps, request) {
      const companyId = idOf("Company", request, "company");
      const written = await write.create(deps, request.actor, companyId, apiInput(child.fields, request.input));
      refuseUnwritten(written, "Company", companyId);
      return await answer(201, written.row, deps, request);
    },

    /** With the company's id and name. */
    async show(deps, request) {
      const { tenant } = request.actor;
      const find = async (id: string) => await queries.find(tenant, deps.database, id);
      const row = await foundOrMerged(child, deps, request, find);
      const secrets = await customSecrets(deps, tenant, child);
      return json.answerWithCompany(200, row, secrets, json.included(request.query));
    },

    /** A partial update. */
    async update(deps, request) {
      const id = idOf(model, request);
      const { actor, input, ifMatch } = request;
      const written = await write.update(deps, actor, id, apiInput(child.fields, input), expectedVersions(ifMatch, id));
      refuseUnwritten(written, model, id);
      return await answer(200, written.row, deps, request);
    },

    /** A soft delete. */
    async delete({ database }, request) {
      const id = idOf(model, request);
      const { actor, ifMatch } = request;
      const expected = expectedVersions(ifMatch, id);
      const isDeleted = await queries.delete(actor.tenant, database, id, changedBy(actor), expected);
      const exists = async () => await queries.exists(actor.tenant, database, id);
      return await deletionAnswer(isDeleted, { model, id, expected }, exists);
    },

    /** Only for a child of a live company. */
    async restore(deps, request) {
      const { actor } = request;
      const tried = await restoredOrMerged(child, deps, request, async (id) => {
        return await queries.restore(actor.tenant, deps.database, id, changedBy(actor));
      });
      if (tried.merge !== null) throw errors.contactMerged(tried.merge);
      return await answer(200, tried.restored, deps, request);
    },

    history: listHistory({ model, changeType, exists: async (...args) => await queries.exists(...args) }),
  };
}

/** A kind of child, as companies embed it: as the company's list has it. */
export function embeddedChild(child: Child): EmbeddedKind {
  const json = childJson(child);
  return embeddedKind(childReads(child).ofCompany, async (deps, tenant, query) => {
    const included = json.included(query);
    const secrets = await customSecrets(deps, tenant, child);
    return (row) => withMembers(json.one(row, secrets), included(row));
  });
}
