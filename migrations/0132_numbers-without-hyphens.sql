-- Without a transaction: the ends of numbers are found without hyphens, slashes, dots and blanks (find_invoices).
create index concurrently if not exists invoices_by_folded_number
  on invoices (tenant_id, (reverse(lower(translate(number, ' -/._', ''))) collate "C"));
create index concurrently if not exists invoices_by_folded_order
  on invoices (tenant_id, (reverse(lower(translate(wms_order_number, ' -/._', ''))) collate "C"))
  where wms_order_number is not null;
drop index concurrently if exists invoices_by_number_ending;
drop index concurrently if exists invoices_by_order_ending;
