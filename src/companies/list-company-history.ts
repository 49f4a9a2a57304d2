import { listHistory } from "../changes/list-history.ts";
import { companyExists } from "./company-queries.ts";

/** GET /api/v1/companies/{id}/history: the company's own changes; its contacts' and addresses' are under theirs. */
export const listCompanyHistoryEndpoint = listHistory({
  model: "Company",
  changeType: "company",
  exists: companyExists,
});
