-- Without a transaction: the index of days has all columns that the report of sales reads. Among indexes that look
-- equally good, PostgreSQL takes the newest: those of a company stay newer than it, in their order (0009).
create index concurrently if not exists invoices_by_day
  on invoices (tenant_id, issued_on desc nulls last, id desc) include (company_id, status, currency, total);
drop index concurrently if exists invoices_by_date;
drop index concurrently if exists invoices_of_company_by_date;
create index concurrently if not exists invoices_of_company_by_date
  on invoices (tenant_id, company_id, issued_on desc nulls last, id desc);
drop index concurrently if exists invoices_of_company_with_amounts;
create index concurrently if not exists invoices_of_company_with_amounts
  on invoices (tenant_id, company_id, status, issued_on desc nulls last, id desc)
  include (total, currency, due_on, terms_due_on, paid);
