import { created, type Endpoint } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { encryptValues, withDefaults } from "../platform/fields/stored-values.ts";
import { checkUsers } from "../users/check-users.ts";
import { validate } from "../platform/fields/validation.ts";
import { companyFields } from "./company.ts";
import { companyJson } from "./company-json.ts";
import { insertCompany } from "./company-queries.ts";

/** POST /api/v1/companies (specification 4.1, rule 1). */
export const createCompanyEndpoint: Endpoint = async ({ database, keyring }, { principal, input }) => {
  const tenant = principal.tenantId;
  const secrets = { keyring, tenant };
  const { values, messages } = await checkUsers(
    tenant,
    database,
    companyFields,
    validate(companyFields, input, "create"),
  );
  if (messages !== null) throw errors.validationFailed(messages);

  const complete = withDefaults(companyFields, values, principal.tenantCountry);
  const written = await insertCompany(tenant, database, encryptValues(companyFields, "companies", complete, secrets));
  if (written.outcome === "tax-id-taken") throw errors.taxIdTaken(written.holder);
  return created(`{"data":${companyJson(written.row, secrets)}}`);
};
