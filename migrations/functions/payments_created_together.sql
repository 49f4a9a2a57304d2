-- Adds the payments of a statement to what is paid of their invoices. Restored invoices bring what is paid.
create or replace function payments_created_together() returns trigger language plpgsql as $$
declare
  added record;
begin
  if current_setting('app.restores', true) = 'on' then return null; end if;
  for added in
    select w.tenant_id, w.invoice_id, sum(w.amount) as amount, max(w.changed_by) as author
    from written w where w.deleted_at is null group by w.tenant_id, w.invoice_id order by w.invoice_id
  loop
    perform public.add_to_paid(added.tenant_id, added.invoice_id, added.amount, added.author);
  end loop;
  return null;
end
$$;
