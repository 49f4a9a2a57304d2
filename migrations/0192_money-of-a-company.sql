-- Without a transaction: what a company's page sums up. The index replaces the one without amounts: it has the same
-- order, so it serves the same lists.
-- Up Migration

create index concurrently if not exists invoices_of_company_with_amounts
  on invoices (tenant_id, company_id, status, issued_on desc nulls last, id desc) include (total, currency, due_on);
drop index concurrently if exists invoices_of_company_by_status;
