import { found, one, type Endpoint } from "../endpoint.ts";
import { companyState, companyWithCountsJson } from "./company-json.ts";
import { findCompany } from "./company-queries.ts";

/** GET /api/v1/companies/{id}: the company with its contacts_count and addresses_count (docs/contract.md 6.1). */
export const showCompanyEndpoint: Endpoint = async ({ database, keyring }, request) => {
  const tenant = request.actor.tenant;
  const row = await found("Company", request, async (id) => await findCompany(tenant, database, id));
  return one(200, companyWithCountsJson(row, { keyring, tenant }), companyState(row));
};
