import { mergedWith } from "../../customers/companies/merged-queries.ts";
import { quickQuery } from "../../platform/postgres/query.ts";
import { oneValue } from "../../platform/postgres/statement.ts";

/**
 * SQL for the time since when the warehouse may have an order that this database does not know; null if it cannot.
 * Either an attempt is open (`wms_open_since`), or the order may be lost. `invoice` is the alias of the invoice's row,
 * $1 its tenant.
 */
export function openSince(invoice: string): string {
  return `coalesce(${invoice}.wms_open_since, ${lostSince(invoice)})`;
}

/** PostgreSQL reads it once in a statement, however many invoices that has. */
const LOST_AT = "(select lost.orders_lost_at from tenants lost where lost.id = $1)";

/**
 * SQL for the time when the database lost the data written after an invoice (`orders_lost_at`). Null if a later check
 * found no order in any warehouse (`wms_absent_at`). Null too if neither the workspace nor the company, nor one that it
 * was merged with, has ever had a warehouse, because none can have the order. Companies are read only of an invoice
 * that may be lost: not after a null, which `and` alone would not end at.
 */
export function lostSince(invoice: string): string {
  return `(case when (${LOST_AT} > greatest(${invoice}.created_at, ${invoice}.wms_absent_at)) is true and exists (
      select from companies owner where owner.tenant_id = $1 and owner.id = any(${mergedWith(`${invoice}.company_id`)})
        and (owner.wms_subdomain is not null or exists (select from workspace_warehouses w where w.tenant_id = $1) or exists (
          select from changes change
          where change.tenant_id = $1 and change.type = 'company' and change.resource_id = owner.id and ${namesWarehouse("change")}
        ))
    ) then ${LOST_AT} end)`;
}

/** The condition of a change in a company's history that set a warehouse. */
export function namesWarehouse(change: string): string {
  return `${change}.changed like '%"wms_subdomain":%'`;
}

/**
 * SQL for whether the warehouse has an invoice, may have it or is about to receive it
 * (docs/decisions/0041-what-the-warehouse-may-have.md). Such an invoice cannot be removed, and its `lockedColumns` are
 * locked. `invoice` is the alias of its row, $1 its tenant.
 */
export function hasLockedColumns(invoice: string): string {
  return `(${invoice}.wms_order_id is not null or ${invoice}.wms_state in ('queued', 'sending', 'unknown')
    or ${openSince(invoice)} is not null)`;
}

/** Whether the warehouse has an invoice or may have it, so that its `lockedColumns` are locked. */
export const isInvoiceLocked = quickQuery<[id: string]>(
  "is_invoice_locked",
  `select ${hasLockedColumns("i")} from invoices i where i.tenant_id = $1 and i.id = $2`,
).of((rows) => oneValue(rows) === "t");
