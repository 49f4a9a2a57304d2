import { companyAnswer, includedInCompany } from "../../customers/companies/company-json.ts";
import { companyExists } from "../../customers/companies/company-queries.ts";
import { customTable } from "../../customers/custom-fields/defined-fields.ts";
import { idOf, ok, refuseUnwritten, withMembers, type Endpoint } from "../../kit/endpoint.ts";
import { errors } from "../../kit/errors.ts";
import type { FieldErrors } from "../../platform/fields/field-reasons.ts";
import type { FieldTable, Input } from "../../platform/fields/fields.ts";
import { validate } from "../../platform/fields/validation.ts";
import { expectedVersions } from "../../platform/http/entity-tag.ts";
import { mergeCompanies } from "./merge-companies.ts";
import { underWaySentence, undoRefusals } from "./merge-sentences.ts";
import { choicesIn, type ValueChoices } from "./merged-values.ts";
import { undoMerge } from "./undo-merge.ts";

/** The members of a merge's body beside `fields`. */
export const mergeFields: FieldTable = [
  { name: "from", kind: "integer", required: true },
  { name: "dry_run", kind: "boolean" },
];

/** POST /api/v1/companies/{id}/merge (docs/contract.md 6.9). */
export const mergeCompaniesEndpoint: Endpoint = async (deps, request) => {
  const { actor, input, ifMatch, query } = request;
  const kept = idOf("Company", request);
  const { from, choices, isDry, messages } = asked(input);
  if (Object.keys(messages).length > 0) {
    // A missing company is reported before wrong fields.
    if (!(await companyExists(actor.tenant, deps.database, kept))) throw errors.resourceMissing("Company", kept);
    throw errors.validationFailed(messages);
  }
  const expected = expectedVersions(ifMatch, kept);
  const merged = await mergeCompanies(deps, actor, { kept, from, choices, isDry, expected });
  if (merged.outcome === "under-way") throw errors.companiesNotMergeable(underWaySentence(merged.count));
  refuseUnwritten(merged, "Company", kept);
  const custom = await customTable(actor.tenant, deps.database, "company");
  const secrets = { keyring: deps.keyring, tenant: actor.tenant, custom };
  const answer = companyAnswer(200, merged.row, secrets, includedInCompany(query));
  // A merge that was only tried has no id.
  const meta = JSON.stringify({ merge_id: isDry ? null : Number(merged.mergeId), moved: merged.moved });
  return { ...answer, json: withMembers(answer.json as string, `,"meta":${meta}`) };
};

function asked(input: Input): { from: string; choices: ValueChoices; isDry: boolean; messages: FieldErrors } {
  const { values, errors: found } = validate(mergeFields, input, "create");
  const { choices, errors: wrong } = choicesIn(input.fields);
  const messages: FieldErrors = { ...found, ...wrong };
  return { from: String(values.from), choices, isDry: values.dry_run === true, messages };
}

/** POST /api/v1/merges/{id}/undo (docs/contract.md 6.9). */
export const undoMergeEndpoint: Endpoint = async (deps, request) => {
  const id = idOf("Merge", request);
  const undone = await undoMerge(deps, request.actor, id);
  if (undone.outcome === "undone") {
    const { restored, left } = undone;
    return ok(JSON.stringify({ restored, left }));
  }
  if (undone.outcome === "missing") throw errors.resourceMissing("Merge", id);
  if (undone.outcome === "tax-id-taken") throw errors.taxIdTaken(undone.holder);
  throw errors.mergeNotUndoable(undoRefusals(undone));
};
