import type { Database } from "../platform/postgres/database.ts";
import type { Statement } from "../platform/postgres/statement.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";

/** A stored key; `key` is encrypted. Nothing is written if the company has another key meanwhile. */
type StoredKey = { companyId: string; key: string };

// updated_at stays, because nobody edited the company. Many invoices may use one refused key, so one write a minute is
// enough.
const refusedStatement: Statement = {
  name: "warehouse_refused_key",
  text: `update companies set wms_key_refused_at = now() where tenant_id = $1 and id = $2 and wms_api_key = $3
    and (wms_key_refused_at is null or wms_key_refused_at < now() - interval '1 minute')`,
};

const acceptedStatement: Statement = {
  name: "warehouse_accepted_key",
  text: `update companies set wms_key_refused_at = null
  where tenant_id = $1 and id = $2 and wms_api_key = $3 and wms_key_refused_at is not null`,
};

/** Stores that the warehouse has just refused a key, or has accepted it again. */
export async function storeRefusal(
  tenant: TenantId,
  database: Database,
  { companyId, key }: StoredKey,
  isRefused: boolean,
): Promise<void> {
  const statement = isRefused ? refusedStatement : acceptedStatement;
  await database.write(tenant, [{ statement, parameters: [companyId, key] }]);
}
