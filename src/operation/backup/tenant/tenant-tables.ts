import type { ForeignKey, StoredTable } from "../../../platform/postgres/stored-tables.ts";
import { leftOut } from "../left-out-of-backup.ts";

/** The tables that a tenant's backup leaves out, beside those that no backup contains, and why. */
export const leftOutOfTenantBackup: ReadonlyMap<string, string> = new Map([
  ["company_count_sums", "the companies are counted as they are loaded"],
  ["company_count_changes", "the companies are counted as they are loaded"],
  ["company_value_sums", "a job counts the values that lists ask for"],
  ["company_value_changes", "a job counts the values that lists ask for"],
  ["company_sales", "a job sums up the sales"],
  ["month_sales", "a job sums up the sales"],
  ["sales_progress", "a job sums up the sales"],
  ["changed_sales", "the changes are noted as the invoices are loaded"],
  ["external_ids", "the external ids are claimed as their resources are loaded"],
  ["value_entries", "the values are found as their records are loaded"],
  ["feed_ticks", "the feed continues behind the loaded changes"],
  ["lanes", "loading the jobs creates their lanes"],
  ["lane_news", "loading the jobs creates their lanes"],
]);

/**
 * Triggers write to these tables while others are loaded, and the backup's rows replace theirs. The first ones are
 * written to by tables that they reference: they are cleared when their own rows follow. Every table writes to the
 * second ones: they are cleared when all others are loaded, and their own rows come last, in this order.
 */
export const clearedBeforeLoading: readonly string[] = ["payments", "planned_calls"];
export const clearedAfterLoading: readonly string[] = ["changes", "jobs", "lane_news"];

/**
 * The tables of a tenant's backup, `tenants` first, each behind the tables that it references, without the tenant's
 * number.
 */
export function tenantTables(tables: readonly StoredTable[], references: readonly ForeignKey[]): StoredTable[] {
  const ofTenants = tables
    .filter(
      ({ name, columns }) => columns.includes("tenant_id") && !leftOut.has(name) && !leftOutOfTenantBackup.has(name),
    )
    .map(({ name, columns }) => ({ name, columns: columns.filter((column) => column !== "tenant_id") }))
    .toSorted((a, b) => clearedAfterLoading.indexOf(a.name) - clearedAfterLoading.indexOf(b.name));
  const ordered = new Set<StoredTable>();
  const add = (table: StoredTable) => {
    for (const referenced of referencedBy(table.name, references)) {
      const other = ofTenants.find(({ name }) => name === referenced);
      if (other !== undefined && !ordered.has(other)) add(other);
    }
    ordered.add(table);
  };
  for (const table of ofTenants) add(table);
  return [...tables.filter(({ name }) => name === "tenants"), ...ordered];
}

function referencedBy(name: string, references: readonly ForeignKey[]): string[] {
  return references.filter(({ from, to }) => from === name && to !== name).map(({ to }) => to);
}
