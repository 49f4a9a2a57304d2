-- Without a transaction: the index of corrected invoices.

drop index concurrently if exists invoices_correcting;
create index concurrently if not exists invoices_correcting on invoices (tenant_id, corrects_id) where corrects_id is not null;
