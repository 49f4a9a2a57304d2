import { companyAnswer, includedInCompany } from "../../customers/companies/company-json.ts";
import { companyExists } from "../../customers/companies/company-queries.ts";
import { childJson } from "../../customers/company-children/child-json.ts";
import { childQueries } from "../../customers/company-children/child-queries.ts";
import { contact } from "../../customers/contacts/contact.ts";
import { customTable } from "../../customers/custom-fields/defined-fields.ts";
import type { Deps } from "../../kit/deps.ts";
import {
  dryRun,
  idOf,
  ok,
  refuseUnwritten,
  withMembers,
  type TextAnswer,
  type ApiRequest,
  type Endpoint,
} from "../../kit/endpoint.ts";
import { errors } from "../../kit/errors.ts";
import { trying } from "../../kit/tried-writes.ts";
import type { FieldErrors } from "../../platform/fields/field-reasons.ts";
import { apiFields, type FieldTable, type Input } from "../../platform/fields/fields.ts";
import { validate } from "../../platform/fields/validation.ts";
import { expectedVersions } from "../../platform/http/entity-tag.ts";
import type { Row } from "../../platform/postgres/statement.ts";
import { undoRefusals } from "./merge-sentences.ts";
import { merge } from "./merge.ts";
import { mergeableCompany, mergeableContact, type MergeableNoun } from "./mergeable-noun.ts";
import { choicesIn, type ValueChoices } from "./merged-values.ts";
import { findMerge } from "./stored-merge-queries.ts";
import { undoMerge } from "./undo-merge.ts";

/** The members of a merge's body beside `fields`. */
export const mergeFields: FieldTable = [{ name: "from", kind: "integer", required: true }, dryRun];

type AnswerOf = (row: Row, deps: Deps, request: ApiRequest) => Promise<TextAnswer>;

/** POST /api/v1/companies/{id}/merge (docs/contract.md 6.9). */
export const mergeCompaniesEndpoint = mergeEndpoint(
  mergeableCompany,
  companyExists,
  async (row, { database, keyring }, { actor: { tenant }, query }) => {
    const custom = await customTable(tenant, database, "company");
    return companyAnswer(200, row, { keyring, tenant, custom }, includedInCompany(query));
  },
);

const [contactJson, contactQueries] = [childJson(contact), childQueries(contact)];

/** POST /api/v1/contacts/{id}/merge (docs/contract.md 7.6). */
export const mergeContactsEndpoint = mergeEndpoint(
  mergeableContact,
  contactQueries.exists,
  async (row, { database, keyring }, { actor: { tenant }, query }) => {
    const custom = await customTable(tenant, database, "contact");
    return contactJson.answer(200, row, { keyring, tenant, custom }, contactJson.included(query));
  },
);

function mergeEndpoint(noun: MergeableNoun, exists: typeof companyExists, answerOf: AnswerOf): Endpoint {
  const { model } = noun;
  return async (deps, request) => {
    const { actor, input, ifMatch } = request;
    const kept = idOf(model, request);
    const custom = await customTable(actor.tenant, deps.database, noun.type);
    const { from, choices, isDry, messages } = asked([...apiFields(noun.fields), ...custom.fields], input);
    if (Object.keys(messages).length > 0) {
      // A missing one is reported before wrong fields.
      if (!(await exists(actor.tenant, deps.database, kept))) throw errors.resourceMissing(model, kept);
      throw errors.validationFailed(messages);
    }
    const expected = expectedVersions(ifMatch, kept);
    const merged = await merge(isDry ? trying(deps) : deps, actor, noun, { kept, from, choices, expected });
    refuseUnwritten(merged, model, kept);
    const answer = await answerOf(merged.row, deps, request);
    // A merge that was only tried has no id.
    const meta = JSON.stringify({ merge_id: isDry ? null : Number(merged.mergeId), moved: merged.moved });
    return { ...answer, json: withMembers(answer.json, `,"meta":${meta}`) };
  };
}

function asked(
  fields: FieldTable,
  input: Input,
): { from: string; choices: ValueChoices; isDry: boolean; messages: FieldErrors } {
  const { values, errors: found } = validate(mergeFields, input, "create");
  const { choices, errors: wrong } = choicesIn(fields, input.fields);
  const messages: FieldErrors = { ...found, ...wrong };
  return { from: String(values.from), choices, isDry: values.dry_run === true, messages };
}

/** POST /api/v1/merges/{id}/undo (docs/contract.md 6.9). The undo of contacts needs their capability too. */
export const undoMergeEndpoint: Endpoint = async (deps, request) => {
  const id = idOf("Merge", request);
  const merged = await findMerge(request.actor.tenant, deps.database, id);
  if (merged?.type === "contact" && !request.may("contacts:write")) throw errors.capabilityMissing("contacts:write");
  const undone = await undoMerge(deps, request.actor, id);
  if (undone.outcome === "undone") {
    const { restored, left } = undone;
    return ok(JSON.stringify({ restored, left }));
  }
  if (undone.outcome === "missing") throw errors.resourceMissing("Merge", id);
  if (undone.outcome === "tax-id-taken") throw errors.taxIdTaken(undone.holder);
  throw errors.mergeNotUndoable(undoRefusals(undone));
};
