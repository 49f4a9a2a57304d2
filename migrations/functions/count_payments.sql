-- Makes `paid` of an invoice the sum of its payments, and its status follow: an invoice whose payments reach its total
-- is paid. The sum is a statement of its own, so it sees payments that were committed while the lock was waited for.
-- Payments that follow from a status change nothing: then no update fires the invoices' triggers.
create or replace function count_payments(tenant bigint, invoice bigint, author text) returns void language plpgsql as $$
declare
  already numeric;
  total_paid numeric;
begin
  select i.paid into already from public.invoices i where i.tenant_id = tenant and i.id = invoice for no key update;
  select coalesce(sum(p.amount), 0) into total_paid from public.payments p
  where p.tenant_id = tenant and p.invoice_id = invoice and p.deleted_at is null;
  if already is not distinct from total_paid then return; end if;
  update public.invoices i set paid = total_paid,
    status = case
      when i.status not in ('issued', 'paid') then i.status
      when public.is_settled(i.total, total_paid) then 'paid'
      when not public.is_settled(i.total, total_paid) then 'issued'
      else i.status end,
    updated_at = public.moment_after(i.updated_at), changed_by = author
  where i.tenant_id = tenant and i.id = invoice;
end
$$;
