import { idOf, ok, type Endpoint } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { encryptValues, sendsEncrypted } from "../platform/fields/stored-values.ts";
import { checkUsers } from "../users/check-users.ts";
import { validate } from "../platform/fields/validation.ts";
import { companyFields } from "./company.ts";
import { companyJson } from "./company-json.ts";
import { companyExists, findCompanySecrets, updateCompany } from "./company-queries.ts";

/** PUT /api/v1/companies/{id}: a partial update (specification 2.1, decisions 5). */
export const updateCompanyEndpoint: Endpoint = async ({ database, keyring }, request) => {
  const tenant = request.principal.tenantId;
  const id = idOf("Company", request);
  const secrets = { keyring, tenant };
  const { values, messages } = await checkUsers(
    tenant,
    database,
    companyFields,
    validate(companyFields, request.input, "update"),
  );
  if (messages !== null) {
    // A missing company comes before what is wrong with the body.
    if (!(await companyExists(tenant, database, id))) throw errors.resourceMissing("Company", id);
    throw errors.validationFailed(messages);
  }

  const stored = sendsEncrypted(companyFields, values) ? await findCompanySecrets(tenant, database, id) : [];
  if (stored === null) throw errors.resourceMissing("Company", id);
  const changes = encryptValues(companyFields, "companies", values, secrets, stored);
  const written = await updateCompany(tenant, database, id, changes);
  if (written === null) throw errors.resourceMissing("Company", id);
  if (written.outcome === "tax-id-taken") throw errors.taxIdTaken(written.holder);
  return ok(`{"data":${companyJson(written.row, secrets)}}`);
};
