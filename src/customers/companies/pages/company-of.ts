import type { Deps } from "../../../kit/deps.ts";
import { found } from "../../../kit/endpoint.ts";
import type { PageRequest } from "../../../kit/web/page.ts";
import { customValues, METADATA } from "../../../platform/fields/custom.ts";
import { membersReader, type RowByName } from "../../../platform/fields/reader.ts";
import { customTable } from "../../custom-fields/defined-fields.ts";
import { findCompanyForPages } from "../company-queries.ts";
import { companyRowMembers } from "../company-row.ts";

const readCompany = membersReader([
  ...companyRowMembers,
  { name: "is_connected", kind: "boolean" },
  { name: "wms_key_refused_at", kind: "timestamp" },
  { name: "warehouse", kind: "string" },
  { name: "uses_workspaces", kind: "boolean" },
  { name: "wms_never", kind: "boolean" },
]);

/** The company that the path names, with its owner's name and its custom fields. Throws resourceMissing. */
export async function companyOf(
  { database, keyring }: Deps,
  request: Pick<PageRequest, "actor" | "params">,
): Promise<RowByName> {
  const { tenant } = request.actor;
  const row = await found("Company", request, async (id) => await findCompanyForPages(tenant, database, id));
  const company = readCompany(row, { keyring, tenant });
  const custom = await customTable(tenant, database, "company");
  return { ...company, ...customValues(custom, company[METADATA] ?? null) };
}

/** Whether a company that the path names is connected with a warehouse. */
export function isConnected(company: RowByName): boolean {
  return company.is_connected === "true";
}
