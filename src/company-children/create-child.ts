import { created, idOf, type Endpoint } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { encryptValues, withDefaults } from "../platform/fields/stored-values.ts";
import { validate } from "../platform/fields/validation.ts";
import { companyExists } from "../companies/company-queries.ts";
import type { Child } from "./child.ts";
import { childJson } from "./child-json.ts";
import { childQueries } from "./child-queries.ts";

/** POST /api/v1/companies/{company}/contacts and the like; company_id is the path's (specification 4.2). */
export function createChild(child: Child): Endpoint {
  const { fields, table } = child;
  const json = childJson(child);
  const queries = childQueries(child);
  return async ({ database, keyring }, request) => {
    const { principal, input } = request;
    const tenant = principal.tenantId;
    const secrets = { keyring, tenant };
    const companyId = idOf("Company", request);
    const { values, errors: messages } = validate(fields, input, "create");
    if (messages !== null) {
      // A missing company comes before what is wrong with the body.
      if (!(await companyExists(tenant, database, companyId))) throw errors.resourceMissing("Company", companyId);
      throw errors.validationFailed(messages);
    }

    const complete = withDefaults(fields, values, principal.tenantCountry);
    const row = await queries.insert(tenant, database, companyId, encryptValues(fields, table, complete, secrets));
    if (row === null) throw errors.resourceMissing("Company", companyId);
    return created(`{"data":${json.one(row, secrets)}}`);
  };
}
