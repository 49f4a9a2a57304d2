-- Without a transaction: the needs that are put off, which are few, and the payments by the day on which they are due.
-- Up Migration

create index concurrently if not exists invoices_put_off on invoices (tenant_id, wms_put_off_until)
  where wms_put_off_until is not null;
create index concurrently if not exists invoices_unpaid on invoices (tenant_id, due_on, id)
  where status = 'issued' and due_on is not null;
