-- Without a transaction: the calls to come of the companies that exist.
do $$
declare
  behind record;
begin
  for behind in
    select tenant_id, min(id) as first, max(id) as last from companies where callback_date is not null group by tenant_id
  loop
    for step in 0 .. (behind.last - behind.first) / 1000 loop
      insert into planned_calls (tenant_id, company_id, due_on, changed_by)
      select c.tenant_id, c.id, c.callback_date, c.changed_by from companies c
      where c.tenant_id = behind.tenant_id
        and c.id between behind.first + step * 1000 and behind.first + step * 1000 + 999 and c.callback_date is not null
        and not exists (
          select from planned_calls k where k.tenant_id = c.tenant_id and k.company_id = c.id and k.deleted_at is null
        );
      commit;
    end loop;
  end loop;
end $$;
