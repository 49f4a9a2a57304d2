-- Without a transaction: indexes of the days by which invoices are due, with those by the terms.

drop index concurrently if exists invoices_due;
create index concurrently if not exists invoices_due on invoices (tenant_id, (coalesce(due_on, terms_due_on)), id)
  where status = 'issued' and coalesce(due_on, terms_due_on) is not null;
drop index concurrently if exists invoices_unpaid;
drop index concurrently if exists invoices_of_company_with_amounts;
create index concurrently if not exists invoices_of_company_with_amounts
  on invoices (tenant_id, company_id, status, issued_on desc nulls last, id desc)
  include (total, currency, due_on, terms_due_on);
