import type { Deps } from "../../deps.ts";
import { errors } from "../../errors.ts";
import type { RowByName } from "../../platform/fields/reader.ts";
import { isId } from "../../platform/ids.ts";
import type { PageRequest } from "../../web/page.ts";
import { findCompany } from "../company-queries.ts";
import { companyRow } from "../company-row.ts";

/** The company that the path names. Throws resourceMissing. */
export async function companyOf({ database, keyring }: Deps, { actor, params }: PageRequest): Promise<RowByName> {
  const { tenant } = actor;
  const id = params.id ?? "";
  const row = isId(id) ? await findCompany(tenant, database, id) : null;
  if (row === null) throw errors.resourceMissing("Company", id);
  return companyRow(row, { keyring, tenant });
}
