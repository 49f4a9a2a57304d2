-- Without a transaction: what is open, and what was paid too much, each with all that an ageing reads.
create index concurrently if not exists invoices_open on invoices (tenant_id, company_id)
  include (id, currency, total, paid, issued_on, due_on, terms_due_on) where status = 'issued';
create index concurrently if not exists invoices_paid_too_much on invoices (tenant_id, company_id)
  include (id, status, currency, total, paid, issued_on, due_on, terms_due_on)
  where (status = 'paid' and paid <> total) or (status = 'cancelled' and paid <> 0);
