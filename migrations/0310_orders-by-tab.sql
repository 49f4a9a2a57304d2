-- Without a transaction: the tabs of the orders, each in the order of its list. The conditions equal those of the
-- statements, word for word.
-- Up Migration

create index concurrently if not exists invoices_unsent on invoices (tenant_id, issued_on desc nulls last, id desc)
  where wms_shown = 'not_sent' and status in ('issued', 'paid');
create index concurrently if not exists invoices_done on invoices (tenant_id, issued_on desc nulls last, id desc)
  where wms_shown like 'final:%' or wms_shown = 'cancelled';
create index concurrently if not exists invoices_in_draft on invoices (tenant_id, issued_on desc nulls last, id desc)
  where status = 'draft';
