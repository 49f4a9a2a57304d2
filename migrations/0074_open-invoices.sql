-- Without a transaction: what is open, and what was paid too much, each with all that an ageing reads. The index of a
-- company's sums has what is paid; it stays the newest one (0009).
create index concurrently if not exists invoices_open on invoices (tenant_id, company_id)
  include (id, currency, total, paid, issued_on, due_on, terms_due_on) where status = 'issued';
create index concurrently if not exists invoices_paid_too_much on invoices (tenant_id, company_id)
  include (id, status, currency, total, paid, issued_on, due_on, terms_due_on)
  where (status = 'paid' and paid <> total) or (status = 'cancelled' and paid <> 0);
drop index concurrently if exists invoices_of_company_with_amounts;
create index concurrently if not exists invoices_of_company_with_amounts
  on invoices (tenant_id, company_id, status, issued_on desc nulls last, id desc)
  include (total, currency, due_on, terms_due_on, paid);
