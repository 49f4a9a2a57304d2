-- Without a transaction: the report of sales counts cancelled invoices.
create index concurrently if not exists invoices_cancelled on invoices (tenant_id, issued_on)
  include (company_id, currency) where status = 'cancelled';
