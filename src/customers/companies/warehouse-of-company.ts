import { column } from "../../platform/postgres/statement.ts";

/**
 * The connection that applies to a company, in every statement: its own, or else the workspace's, unless its invoices
 * are never sent (docs/decisions/0074-one-warehouse.md). A company with a subdomain but no key has none.
 * Triggers have the same rule in migrations/functions/warehouse_of_company.sql. $1 is the tenant in all of them.
 */

// PostgreSQL reads such a row once in a statement, however many companies that has.
const ofWorkspace = (column: string) => `(select w.${column} from workspace_warehouses w where w.tenant_id = $1)`;

/** The condition of a company without a connection of its own: the workspace's applies to it, if there is one. */
export function usesWorkspaces(alias: string): string {
  return `(${alias}.wms_subdomain is null and not ${alias}.wms_never)`;
}

function effective(alias: string, column: string): string {
  return `(case when ${alias}.wms_never then null when ${alias}.wms_subdomain is null then ${ofWorkspace(column)} else ${alias}.${column} end)`;
}

/** The condition of a company that is connected with a warehouse. A subdomain without a key is no connection. */
export function hasWarehouse(alias: string): string {
  return `${effective(alias, "wms_api_key")} is not null`;
}

/** SQL for the subdomain of the connection; `hasWarehouse` decides whether it is one. */
export function subdomainOf(alias: string): string {
  return effective(alias, "wms_subdomain");
}

/** SQL for when the warehouse last refused the key; null since a call worked. */
export function keyRefusedAt(alias: string): string {
  return effective(alias, "wms_key_refused_at");
}

/**
 * The condition of the company whose connection an invoice `i` uses: its own, unless a merge moved an order that
 * another warehouse has. That one is followed with the connection of the merged company.
 */
export function isConnectionOf(alias: string): string {
  const isThere = `(${alias}.deleted_at is null or i.wms_via is not null)`;
  // Not by coalesce(), which row-level security lets no index use: every company of the tenant would be read.
  return `${alias}.id = case when i.wms_via is null then i.company_id else i.wms_via end and ${isThere}`;
}

/** The columns of a connection as it is stored, for `selectList`; `reachStored` takes them. The key is encrypted. */
export function warehouseColumns(alias: string) {
  return {
    connectedCompany: column.text(`${alias}.id`),
    isWorkspaces: column.flag(usesWorkspaces(alias)),
    subdomain: subdomainOf(alias),
    key: effective(alias, "wms_api_key"),
    isKeyRefused: column.flag(`${keyRefusedAt(alias)} is not null`),
  };
}
