import { errors } from "../../kit/errors.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { companyExists } from "./company-queries.ts";

/** Throws if there is no such company. */
export async function requireCompany(tenant: TenantId, database: Database, id: string): Promise<void> {
  if (!(await companyExists(tenant, database, id))) throw errors.resourceMissing("Company", id);
}

/** The company in the path of a list. */
export const companyInPath = { model: "Company", parameter: "company", require: requireCompany };
