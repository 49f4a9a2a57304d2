import { found, type Endpoint } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { changedBy } from "../platform/fields/writer.ts";
import { companyAnswer } from "./company-json.ts";
import { restoreCompany } from "./company-restore-queries.ts";

/** POST /api/v1/companies/{id}/restore: a deleted company as it was; one that is not deleted as it is (docs/contract.md 6.8). */
export const restoreCompanyEndpoint: Endpoint = async ({ database, keyring }, request) => {
  const { actor } = request;
  const restore = async (id: string) => await restoreCompany(actor.tenant, database, id, changedBy(actor));
  const restored = await found("Company", request, restore);
  if (restored.outcome === "tax-id-taken") throw errors.taxIdTaken(restored.holder);
  return companyAnswer(200, restored.row, { keyring, tenant: actor.tenant });
};
