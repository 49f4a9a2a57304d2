import type { Endpoint } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { companyAnswer } from "./company-json.ts";
import { createCompany } from "./write-company.ts";

/** POST /api/v1/companies (docs/contract.md 6.1 and 6.4). */
export const createCompanyEndpoint: Endpoint = async (deps, { actor, input }) => {
  const written = await createCompany(deps, actor, input);
  if (written.outcome === "invalid") throw errors.validationFailed(written.messages);
  if (written.outcome === "tax-id-taken") throw errors.taxIdTaken(written.holder);
  return companyAnswer(201, written.row, { keyring: deps.keyring, tenant: actor.tenant });
};
