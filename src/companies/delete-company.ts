import { idOf, ok, refuseUnwritten, type Endpoint } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { changedBy } from "../platform/fields/writer.ts";
import { expectedVersions } from "../platform/http/entity-tag.ts";
import { deleteCompany } from "./company-queries.ts";

/** DELETE /api/v1/companies/{id}: a soft delete, unless related records hold it back (docs/contract.md 6.6). */
export const deleteCompanyEndpoint: Endpoint = async ({ database }, request) => {
  const id = idOf("Company", request);
  const { actor, ifMatch } = request;
  const deleted = await deleteCompany(actor.tenant, database, id, changedBy(actor), expectedVersions(ifMatch, id));
  refuseUnwritten(deleted, "Company", id);
  if (deleted.outcome === "blocked") throw errors.deletionBlocked(deleted.kinds);
  return ok(`{"message":"Company deleted."}`);
};
