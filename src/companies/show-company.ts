import { idOf, one, type Endpoint } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { companyState, companyWithCountsJson } from "./company-json.ts";
import { findCompany } from "./company-queries.ts";

/** GET /api/v1/companies/{id}: the company with its contacts_count and addresses_count (docs/contract.md 6.1). */
export const showCompanyEndpoint: Endpoint = async ({ database, keyring }, request) => {
  const tenant = request.actor.tenant;
  const id = idOf("Company", request);
  const row = await findCompany(tenant, database, id);
  if (row === null) throw errors.resourceMissing("Company", id);
  return one(200, companyWithCountsJson(row, { keyring, tenant }), companyState(row));
};
