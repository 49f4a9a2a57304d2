-- Without a transaction: the indexes of due calls and of overdue invoices have all that the counts of an owner read. An
-- index of an expression is read alone only if it has the columns of the expression too.
create index concurrently if not exists invoices_by_due_day on invoices (tenant_id, coalesce(due_on, terms_due_on), id)
  include (company_id, due_on, terms_due_on)
  where status = 'issued' and coalesce(due_on, terms_due_on) is not null;
drop index concurrently if exists invoices_due;
create index concurrently if not exists calls_by_day on planned_calls (tenant_id, due_on, id)
  include (company_id, assigned_to) where deleted_at is null;
drop index concurrently if exists calls_to_come;
