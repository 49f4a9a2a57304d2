-- Without a transaction: what a company's page sums up. The first index replaces the one without amounts: it has the
-- same order, so it serves the same lists. The second has the orders under way and in need, which are few.
-- Up Migration

create index concurrently if not exists invoices_of_company_with_amounts
  on invoices (tenant_id, company_id, status, issued_on desc nulls last, id desc) include (total, currency, due_on);
create index concurrently if not exists invoices_of_company_moving
  on invoices (tenant_id, company_id) include (wms_shown, wms_needs_at)
  where (wms_shown in ('waiting', 'on_its_way', 'being_checked') or wms_shown like 'open:%') or wms_needs_at is not null;
drop index concurrently if exists invoices_of_company_by_status;
