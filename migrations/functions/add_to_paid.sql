-- Adds to `paid` of an invoice, and its status follows: an invoice whose payments reach its total is paid. An update
-- that waited for the lock of the invoice reads it again, so concurrent payments are all added.
create or replace function add_to_paid(tenant bigint, invoice bigint, added numeric, author text) returns void
  language plpgsql as $$
begin
  if added = 0 then return; end if;
  update public.invoices i set paid = i.paid + added,
    status = case
      when i.status not in ('issued', 'paid') then i.status
      when public.is_settled(i.total, i.paid + added) then 'paid'
      when not public.is_settled(i.total, i.paid + added) then 'issued'
      else i.status end,
    updated_at = public.moment_after(i.updated_at), changed_by = author
  where i.tenant_id = tenant and i.id = invoice;
end
$$;
