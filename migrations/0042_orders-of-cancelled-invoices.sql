-- Without a transaction: cancelled invoices whose order is under way need attention. Those whose order was final before
-- this version count as accepted, because nobody can stop them any more.

do $$
declare
  behind record;
begin
  for behind in
    select tenant_id, min(id) as first, max(id) as last from invoices
    where status = 'cancelled' and (wms_shown like 'open:%' or wms_shown like 'final:%') group by tenant_id
  loop
    for step in 0 .. (behind.last - behind.first) / 1000 loop
      update invoices set wms_settled_at = case when wms_shown like 'final:%' then now() end, wms_shown = ''
      where tenant_id = behind.tenant_id and id between behind.first + step * 1000 and behind.first + step * 1000 + 999
        and status = 'cancelled' and (wms_shown like 'open:%' or wms_shown like 'final:%');
      commit;
    end loop;
  end loop;
end $$;
