-- Without a transaction: the invoices that were marked as paid since 0071; their trigger adds the payment.
do $$
declare
  behind record;
begin
  for behind in
    select i.tenant_id, array_agg(i.id) as ids from invoices i
    where i.status = 'paid' and i.total <> 0 and i.paid = 0 group by i.tenant_id
  loop
    update invoices i set paid = i.total
    where i.tenant_id = behind.tenant_id and i.id = any (behind.ids) and i.status = 'paid' and i.total <> 0 and i.paid = 0;
    commit;
  end loop;
end $$;
