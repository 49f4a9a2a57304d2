import { listHistory } from "../../kit/changes/list-history.ts";
import type { Deps, Store } from "../../kit/deps.ts";
import {
  type TextAnswer,
  type ApiRequest,
  dryRun,
  type Endpoint,
  idOf,
  ok,
  refuseUnwritten,
  withMembers,
} from "../../kit/endpoint.ts";
import { errors } from "../../kit/errors.ts";
import { listEndpoint } from "../../kit/list-endpoint.ts";
import { trying } from "../../kit/tried-writes.ts";
import type { FieldErrors } from "../../platform/fields/field-reasons.ts";
import type { Input } from "../../platform/fields/fields.ts";
import { groupedErrors, withoutGroups } from "../../platform/fields/grouped-fields.ts";
import { writeRows } from "../../platform/fields/long-texts.ts";
import { validate } from "../../platform/fields/validation.ts";
import { changedBy } from "../../platform/fields/writer.ts";
import { expectedVersions } from "../../platform/http/entity-tag.ts";
import type { ItemsInParts, Query } from "../../platform/http/lists/pagination.ts";
import type { Row } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { customTable } from "../custom-fields/defined-fields.ts";
import {
  companyAnswer,
  companyJson,
  companyWithCountsAnswer,
  companyWithCountsJson,
  includedInCompany,
} from "./company-json.ts";
import { companyExists, deleteCompany, findCompany } from "./company-queries.ts";
import { changedCompanies, companyReads } from "./company-reads.ts";
import { restoreCompany } from "./company-restore-queries.ts";
import { companyFields } from "./company.ts";
import {
  around,
  EMBEDDING_MAX,
  embeddedBytes,
  embeddedIn,
  readEmbedded,
  ROW_BYTES_OF_ONE,
  withEmbedded,
  type EmbeddedKind,
} from "./embedded.ts";
import { companyNoun, foundOrMerged, restoredOrMerged } from "./found-or-merged.ts";
import { createCompany, updateCompany } from "./write-company.ts";

/** The most memory of a single company with all that it embeds, whose long texts are read while they are sent. */
const EMBEDDED_BYTES_OF_ONE = 6 * 2 ** 20;

/** GET /api/v1/companies (docs/contract.md 6.1). @param embeddable the kinds of resources that companies may embed */
export function listCompaniesEndpoint(embeddable: readonly EmbeddedKind[]): Endpoint {
  const kindsIn = (query: Query) => embeddedIn(query, embeddable);
  return listEndpoint({
    reads: companyReads,
    type: "company",
    perPageMax: (query) => (kindsIn(query).length === 0 ? undefined : EMBEDDING_MAX),
    bytesOf: ({ perPage }, query) => embeddedBytes(perPage, kindsIn(query)),
    itemsOf: (deps, request) => async (rows) => await companiesWith(deps, request, kindsIn(request.query), rows),
    changedSince: changedCompanies,
    custom: async (tenant, database) => await customTable(tenant, database, "company"),
  });
}

/** Companies of a list as JSON, with the members that the request asks for. */
async function companiesWith(
  deps: Deps,
  { actor: { tenant }, query }: ApiRequest,
  kinds: readonly EmbeddedKind[],
  rows: Row[],
): Promise<string[] | ItemsInParts> {
  const { database, keyring } = deps;
  const included = includedInCompany(query);
  const custom = await customTable(tenant, database, "company");
  const json = (row: Row) => companyJson(row, { keyring, tenant, custom });
  const whole = async (ids: string[]) => await companyReads.whole(tenant, database, ids);
  if (kinds.length === 0) return writeRows({ rows, write: (row) => withMembers(json(row), included(row)), whole });
  const ids = rows.map(([id]) => String(id));
  const { membersOf } = await readEmbedded(deps, tenant, query, kinds, ids);
  const companies = writeRows({ rows, write: json, whole });
  const others = rows.map(included);
  const item = (company: string, index: number) =>
    withEmbedded(company, membersOf(ids[index] ?? ""), others[index] ?? "");
  if (!Array.isArray(companies)) return itemsInParts(companies, item);
  const items = companies.map(item);
  return items.every((each) => typeof each === "string") ? items : itemsInParts(companies, item);
}

async function* itemsInParts(
  companies: AsyncIterable<string> | string[],
  item: (company: string, index: number) => string | AsyncIterable<string>,
): AsyncGenerator<string | AsyncIterable<string>> {
  let index = 0;
  for await (const company of companies) yield item(company, index++);
}

async function answer(
  status: number,
  row: Row,
  { database, keyring }: Deps,
  { actor: { tenant }, query }: ApiRequest,
): Promise<TextAnswer> {
  const custom = await customTable(tenant, database, "company");
  return companyAnswer(status, row, { keyring, tenant, custom }, includedInCompany(query));
}

/** The errors of a write are named by the places of the fields in the JSON. */
function inGroups<Written extends { outcome: string }>(written: Written): Written {
  if (written.outcome !== "invalid" || !("messages" in written)) return written;
  return { ...written, messages: groupedErrors(companyFields, written.messages as FieldErrors) };
}

/** Finds the stored companies that look like new ones. */
type AlikeTo = (store: Store, tenant: TenantId, inputs: readonly Input[]) => Promise<object[][]>;

/** POST /api/v1/companies (docs/contract.md 6.1, 6.4 and 6.10). */
export const createCompanyEndpoint =
  (alikeTo: AlikeTo): Endpoint =>
  async (deps, request) => {
    const { actor, input } = request;
    const { values, errors: wrong } = validate([dryRun], input, "create");
    const isTried = wrong !== null || values.dry_run === true;
    const flat = withoutGroups(companyFields, input);
    const written = inGroups(await createCompany(isTried ? trying(deps) : deps, actor, flat));
    if (written.outcome === "invalid") throw errors.validationFailed({ ...written.messages, ...wrong });
    if (wrong !== null) throw errors.validationFailed(wrong);
    if (written.outcome === "tax-id-taken") throw errors.taxIdTaken(written.holder);
    if (!isTried) return await answer(201, written.row, deps, request);
    const [alike = []] = await alikeTo(deps, actor.tenant, [flat]);
    // Not null: generated clients read it into the type of an id.
    const { json } = await answer(200, ["0", ...written.row.slice(1)], deps, request);
    return ok(withMembers(json, `,"alike":${JSON.stringify(alike)}`));
  };

/** GET /api/v1/companies/{id}: the company with its contacts_count and addresses_count (docs/contract.md 6.1). */
export function showCompanyEndpoint(embeddable: readonly EmbeddedKind[]): Endpoint {
  return async (deps, request) => {
    const { database, keyring } = deps;
    const { query } = request;
    const tenant = request.actor.tenant;
    const kinds = embeddedIn(query, embeddable);
    if (kinds.length > 0) await request.reserve(EMBEDDED_BYTES_OF_ONE);
    const row = await foundOrMerged(companyNoun, deps, request, async (id) => await findCompany(tenant, database, id));
    const included = includedInCompany(query);
    const secrets = { keyring, tenant, custom: await customTable(tenant, database, "company") };
    if (kinds.length === 0) return companyWithCountsAnswer(200, row, secrets, included);
    const id = String(row[0]);
    const embedded = await readEmbedded(deps, tenant, query, kinds, [id], ROW_BYTES_OF_ONE);
    const members = embedded.membersOf(id);
    if (typeof members === "string") {
      return companyWithCountsAnswer(200, row, secrets, (each) => members + included(each));
    }
    const answer = companyWithCountsAnswer(200, row, secrets, () => `,"state":${embedded.state()}`);
    const company = companyWithCountsJson(row, secrets).slice(0, -1);
    return { ...answer, json: around(`{"data":${company}`, members, `${included(row)}}}`) };
  };
}

/** PUT /api/v1/companies/{id}: a partial update (docs/contract.md 4.5 and 6.4). */
export const updateCompanyEndpoint: Endpoint = async (deps, request) => {
  const { actor, input } = request;
  const id = idOf("Company", request);
  const flat = withoutGroups(companyFields, input);
  const written = inGroups(await updateCompany(deps, actor, id, flat, expectedVersions(request.ifMatch, id)));
  refuseUnwritten(written, "Company", id);
  if (written.outcome === "tax-id-taken") throw errors.taxIdTaken(written.holder);
  return await answer(200, written.row, deps, request);
};

/** DELETE /api/v1/companies/{id}: a soft delete, unless related records hold it back (docs/contract.md 6.6). */
export const deleteCompanyEndpoint: Endpoint = async ({ database }, request) => {
  const id = idOf("Company", request);
  const { actor, ifMatch } = request;
  const deleted = await deleteCompany(actor.tenant, database, id, changedBy(actor), expectedVersions(ifMatch, id));
  refuseUnwritten(deleted, "Company", id);
  if (deleted.outcome === "blocked") throw errors.deletionBlocked(deleted.kinds);
  return ok(`{"message":"Company deleted."}`);
};

/** POST /api/v1/companies/{id}/restore: restores a deleted company; any other stays as it is (docs/contract.md 6.8). */
export const restoreCompanyEndpoint: Endpoint = async (deps, request) => {
  const { actor } = request;
  const tried = await restoredOrMerged(companyNoun, deps, request, async (id) => {
    return await restoreCompany(actor.tenant, deps.database, id, changedBy(actor));
  });
  if (tried.merge !== null) throw errors.companyMerged(tried.merge);
  const { restored } = tried;
  if (restored.outcome === "tax-id-taken") throw errors.taxIdTaken(restored.holder);
  return await answer(200, restored.row, deps, request);
};

/** GET /api/v1/companies/{id}/history: the company's own changes; its contacts' and addresses' are under theirs. */
export const listCompanyHistoryEndpoint = listHistory({
  model: "Company",
  changeType: "company",
  exists: companyExists,
});
