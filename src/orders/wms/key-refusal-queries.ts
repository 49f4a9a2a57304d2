import type { Database } from "../../platform/postgres/database.ts";
import type { Statement } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";

/** A stored key; `key` is encrypted. Nothing is written if its holder has another key meanwhile. */
type StoredKey = {
  /** Null: the key is the workspace's. */
  companyId: string | null;
  key: string;
};

// updated_at stays, because nobody edited the connection. Many invoices may use one refused key, so one write a minute
// is enough.
const refused = (name: string, key: string): Statement => ({
  name,
  text: `update ${key} and (wms_key_refused_at is null or wms_key_refused_at < now() - interval '1 minute')`,
});
const accepted = (name: string, key: string): Statement => ({
  name,
  text: `update ${key} and wms_key_refused_at is not null`,
});

const ofCompany = (at: string) =>
  `companies set wms_key_refused_at = ${at} where tenant_id = $1 and id = $3 and wms_api_key = $2`;
const ofWorkspace = (at: string) =>
  `workspace_warehouses set wms_key_refused_at = ${at} where tenant_id = $1 and wms_api_key = $2`;

const statements = {
  company: {
    refused: refused("warehouse_refused_key", ofCompany("now()")),
    accepted: accepted("warehouse_accepted_key", ofCompany("null")),
  },
  workspace: {
    refused: refused("warehouse_refused_key_of_workspace", ofWorkspace("now()")),
    accepted: accepted("warehouse_accepted_key_of_workspace", ofWorkspace("null")),
  },
};

/** Stores that the warehouse has just refused a key, or has accepted it again. */
export async function storeRefusal(
  tenant: TenantId,
  database: Database,
  { companyId, key }: StoredKey,
  isRefused: boolean,
): Promise<void> {
  const statement = statements[companyId === null ? "workspace" : "company"][isRefused ? "refused" : "accepted"];
  await database.write(tenant, [{ statement, parameters: companyId === null ? [key] : [key, companyId] }]);
}
