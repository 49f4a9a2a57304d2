-- The newest payments of a paid invoice, until the others do not reach its total. Ids do not tell which are newer: on a
-- cluster those of payments that a trigger records are of a node's own range.
create or replace function payments_to_take_back(tenant bigint, invoice bigint, total numeric, paid numeric)
  returns table (id bigint, amount numeric) language plpgsql as $$
declare
  remaining numeric := paid;
begin
  for id, amount in
    select p.id, p.amount from public.payments p
    where p.tenant_id = tenant and p.invoice_id = invoice and p.deleted_at is null order by p.created_at desc, p.id desc
  loop
    exit when public.is_settled(total, remaining) is not true;
    remaining := remaining - amount;
    return next;
  end loop;
end
$$;
