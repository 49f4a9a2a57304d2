import type { Database } from "../../platform/postgres/database.ts";
import { quickQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Selected } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { TenantMemory } from "../../platform/postgres/tenant-memory.ts";
import { fromFormerTaxIds, isSameTaxId } from "./tax-spelling-queries.ts";

/** The fiscal ids of companies that were merged into others. Most workspaces have none, and look nothing up. */
const hasFormerTaxIds = quickQuery(
  "has_former_tax_ids",
  "select 1 from external_ids e where e.tenant_id = $1 and e.type = 'former_tax_id' and e.source = '' limit 1",
).exists();

const holder = selectList({
  id: column.number("c.id"),
  name: column.text("c.name"),
  tax_id: "c.tax_id",
  former: column.text("former.text"),
});

const findHolders = quickQuery<[taxIds: string[]]>(
  "find_holders_of_former_tax_id",
  `select ${holder.sql}
  ${fromFormerTaxIds}`,
).all(holder.read);

const memory = new TenantMemory(hasFormerTaxIds);

type Holder = Omit<Selected<typeof holder>, "former">;

/** The company that the company with this fiscal id was merged into; null without one. */
export async function formerHolder(tenant: TenantId, database: Database, taxId: string): Promise<Holder | null> {
  if (!(await memory.of(tenant, database))) return null;
  const found = (await findHolders(tenant, database, [taxId])).find(({ former }) => isSameTaxId(former, taxId));
  return found === undefined ? null : { id: found.id, name: found.name, tax_id: found.tax_id };
}

/** This process has merged companies, or undone that. */
export function forgetFormerTaxIds(tenant: TenantId, database: Database): void {
  memory.forget(tenant, database);
}
