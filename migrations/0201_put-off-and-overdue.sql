-- Without a transaction: the needs that are put off, which are few, the payments by the day on which they are due, and
-- a company's orders under way and in need.
-- Up Migration

create index concurrently if not exists invoices_put_off on invoices (tenant_id, wms_put_off_until)
  where wms_put_off_until is not null;
create index concurrently if not exists invoices_unpaid on invoices (tenant_id, due_on, id)
  where status = 'issued' and due_on is not null;
create index concurrently if not exists invoices_of_company_moving
  on invoices (tenant_id, company_id) include (wms_shown, wms_needs_at, wms_settled_at, wms_put_off_until)
  where (wms_shown in ('waiting', 'on_its_way', 'being_checked') or wms_shown like 'open:%') or wms_needs_at is not null;
