import { idOf, refuseUnwritten, type Endpoint } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { expectedVersions } from "../platform/http/entity-tag.ts";
import { companyAnswer } from "./company-json.ts";
import { updateCompany } from "./write-company.ts";

/** PUT /api/v1/companies/{id}: a partial update (docs/contract.md 4.5 and 6.4). */
export const updateCompanyEndpoint: Endpoint = async (deps, request) => {
  const { actor, input } = request;
  const id = idOf("Company", request);
  const written = await updateCompany(deps, actor, id, input, expectedVersions(request.ifMatch, id));
  refuseUnwritten(written, "Company", id);
  if (written.outcome === "tax-id-taken") throw errors.taxIdTaken(written.holder);
  return companyAnswer(200, written.row, { keyring: deps.keyring, tenant: actor.tenant });
};
