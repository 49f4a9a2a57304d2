-- Without a transaction: open invoices that nothing says when to pay, which the index of the due days leaves out.
create index concurrently if not exists invoices_without_due_day on invoices (tenant_id, id)
  where status = 'issued' and coalesce(due_on, terms_due_on) is null;
