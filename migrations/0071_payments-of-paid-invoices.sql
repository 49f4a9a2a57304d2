-- Without a transaction: invoices that were marked as paid have a payment of their total. Its day is that of their last
-- change, or of their issue if they were created as paid.
do $$
declare
  behind record;
begin
  for behind in
    select i.tenant_id, min(i.id) as first, max(i.id) as last, min(t.time_zone) as time_zone
    from invoices i join tenants t on t.id = i.tenant_id where i.status = 'paid' group by i.tenant_id
  loop
    for step in 0 .. (behind.last - behind.first) / 1000 loop
      with paid as (
        update invoices i set paid = i.total
        where i.tenant_id = behind.tenant_id
          and i.id between behind.first + step * 1000 and behind.first + step * 1000 + 999
          and i.status = 'paid' and i.total <> 0 and i.paid = 0
        returning i.id, i.company_id, i.total, i.changed_by, i.created_at,
          (i.edited_at at time zone behind.time_zone)::date as edited_on,
          case when i.edited_at < i.created_at + interval '1 minute' then i.issued_on end as issued_on
      )
      insert into payments (tenant_id, company_id, invoice_id, amount, paid_on, changed_by)
      select behind.tenant_id, p.company_id, p.id, p.total, least(p.issued_on, p.edited_on), p.changed_by
      from paid p order by p.id;
      commit;
    end loop;
  end loop;
end $$;
