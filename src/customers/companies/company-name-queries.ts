import { quickQuery } from "../../platform/postgres/query.ts";

/** The name of a company, also of a deleted one; null if there is none. */
export const nameOfCompany = quickQuery<[id: string]>(
  "name_of_company",
  "select name from companies where tenant_id = $1 and id = $2",
).value();
