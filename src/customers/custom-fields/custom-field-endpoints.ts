import { listHistory } from "../../kit/changes/list-history.ts";
import { found, idOf, ok, refuseUnwritten, type Endpoint } from "../../kit/endpoint.ts";
import { errors } from "../../kit/errors.ts";
import { expectedVersions } from "../../platform/http/entity-tag.ts";
import { pageBody, parsePage } from "../../platform/http/lists/pagination.ts";
import { definitionAnswer, definitionJson } from "./custom-field-json.ts";
import { definitionExists, findDefinition, listDefinitions } from "./custom-field-queries.ts";
import { customNouns, FIELD_MODEL } from "./custom-field.ts";
import { createDefinition, deleteDefinition, updateDefinition } from "./write-custom-field.ts";

/** Maximum memory of a definition in a list: a hundred options. */
const DEFINITION_BYTES = 64 * 1024;

/** GET /api/v1/custom-fields (docs/contract.md 21.1). */
export const listDefinitionsEndpoint: Endpoint = async ({ database, keyring }, request) => {
  const { tenant } = request.actor;
  const noun = request.query.get("noun");
  const nouns = noun === undefined ? customNouns : customNouns.filter((each) => each === noun);
  const archived = ["true", "1"].includes(request.query.get("archived") ?? "");
  const page = parsePage(request.query);
  await request.reserve(page.perPage * DEFINITION_BYTES);
  const { rows, total } = await listDefinitions(tenant, database, page, { nouns: [...nouns], archived });
  const items = rows.map((row) => definitionJson(row, { keyring, tenant }));
  return ok(pageBody({ items, count: rows.length, total, page, path: request.url(), query: request.query }));
};

/** POST /api/v1/custom-fields. */
export const createDefinitionEndpoint: Endpoint = async (deps, request) => {
  const written = await createDefinition(deps, request.actor, request.input);
  if (written.outcome === "invalid") throw errors.validationFailed(written.messages);
  return definitionAnswer(201, written.row, { keyring: deps.keyring, tenant: request.actor.tenant });
};

/** GET /api/v1/custom-fields/{id}. */
export const showDefinitionEndpoint: Endpoint = async ({ database, keyring }, request) => {
  const { tenant } = request.actor;
  const row = await found(FIELD_MODEL, request, async (id) => await findDefinition(tenant, database, id));
  return definitionAnswer(200, row, { keyring, tenant });
};

/** PUT /api/v1/custom-fields/{id}: a partial update; with `archived` it archives and restores. */
export const updateDefinitionEndpoint: Endpoint = async (deps, request) => {
  const { actor, input, ifMatch } = request;
  const id = idOf(FIELD_MODEL, request);
  const written = await updateDefinition(deps, actor, id, input, expectedVersions(ifMatch, id));
  refuseUnwritten(written, FIELD_MODEL, id);
  return definitionAnswer(200, written.row, { keyring: deps.keyring, tenant: actor.tenant });
};

/** DELETE /api/v1/custom-fields/{id}: an archived one, with its values. */
export const deleteDefinitionEndpoint: Endpoint = async (deps, request) => {
  const { actor, ifMatch } = request;
  const id = idOf(FIELD_MODEL, request);
  const { outcome } = await deleteDefinition(deps, actor, id, expectedVersions(ifMatch, id));
  if (outcome === "missing") throw errors.resourceMissing(FIELD_MODEL, id);
  if (outcome === "outdated") throw errors.resourceChanged();
  if (outcome === "in-use") throw errors.customFieldInUse();
  return ok(`{"message":"${FIELD_MODEL} deleted."}`);
};

/** GET /api/v1/custom-fields/{id}/history. */
export const listDefinitionHistoryEndpoint = listHistory({
  model: FIELD_MODEL,
  changeType: "custom_field",
  exists: definitionExists,
});
