/**
 * Since when the warehouse may have an order of an invoice that this database does not know, as SQL; null: it has none. An attempt is open
 * (`wms_open_since`), or its order may be lost. `invoice` is the alias of the invoice's row, $1 its tenant.
 */
export function openSince(invoice: string): string {
  return `coalesce(${invoice}.wms_open_since, ${lostSince(invoice)})`;
}

/**
 * When the database lost what came after an invoice (`orders_lost_at`), if nothing has proved since that no warehouse has its order
 * (`wms_absent_at`); else null. Null too where the history of its company names no warehouse: there is none that could have it.
 */
export function lostSince(invoice: string): string {
  return `(
    select lost.orders_lost_at from tenants lost
    where lost.id = $1 and lost.orders_lost_at > greatest(${invoice}.created_at, ${invoice}.wms_absent_at) and exists (
      select from companies owner where owner.tenant_id = $1 and owner.id = ${invoice}.company_id
        and (owner.wms_subdomain is not null or exists (
          select from changes change
          where change.tenant_id = $1 and change.type = 'company' and change.resource_id = owner.id and ${namesWarehouse("change")}
        ))
    )
  )`;
}

/** The condition of a company's change in the history that names a warehouse. */
export function namesWarehouse(change: string): string {
  return `${change}.changed like '%"wms_subdomain":%'`;
}

/**
 * Whether the warehouse has an invoice, may have it or is about to get it, as SQL; `invoice` is the alias of its row, $1 its tenant
 * (docs/decisions/0041-what-the-warehouse-may-have.md). Such an invoice keeps `keptColumns`, and is not removed.
 */
export function isKept(invoice: string): string {
  return `(${invoice}.wms_order_id is not null or ${invoice}.wms_state in ('queued', 'sending', 'unknown')
    or ${openSince(invoice)} is not null)`;
}
