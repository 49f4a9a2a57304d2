import { found, type Endpoint } from "../endpoint.ts";
import { companyWithCountsAnswer } from "./company-json.ts";
import { findCompany } from "./company-queries.ts";

/** GET /api/v1/companies/{id}: the company with its contacts_count and addresses_count (docs/contract.md 6.1). */
export const showCompanyEndpoint: Endpoint = async ({ database, keyring }, request) => {
  const tenant = request.actor.tenant;
  const row = await found("Company", request, async (id) => await findCompany(tenant, database, id));
  return companyWithCountsAnswer(200, row, { keyring, tenant });
};
