/**
 * Whether the warehouse has an invoice, may have it or is about to get it, as SQL; `invoice` is the alias of its row. The
 * warehouse may have it as long as an attempt is open (`wms_open_since`), whatever became of its state since: what proves
 * that an attempt made no order closes it (docs/decisions/0041-what-the-warehouse-may-have.md). Such an invoice keeps
 * `keptColumns`, and is not removed.
 */
export function isKept(invoice: string): string {
  return `(${invoice}.wms_order_id is not null or ${invoice}.wms_open_since is not null
    or ${invoice}.wms_state in ('queued', 'sending', 'unknown'))`;
}
