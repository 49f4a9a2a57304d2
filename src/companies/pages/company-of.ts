import type { Deps } from "../../deps.ts";
import { found } from "../../endpoint.ts";
import type { RowByName } from "../../platform/fields/reader.ts";
import type { PageRequest } from "../../web/page.ts";
import { findCompany } from "../company-queries.ts";
import { companyRow } from "../company-row.ts";

/** The company that the path names. Throws resourceMissing. */
export async function companyOf({ database, keyring }: Deps, request: PageRequest): Promise<RowByName> {
  const { tenant } = request.actor;
  const row = await found("Company", request, async (id) => await findCompany(tenant, database, id));
  return { ...companyRow(row, { keyring, tenant }), is_connected: row.at(-1) ?? null };
}

/** Whether a company that the path names is connected with a warehouse. */
export function isConnected(company: RowByName): boolean {
  return company.is_connected === "t";
}
