-- Without a transaction: the values that custom_values had, by its records.
do $$
declare
  behind record;
  step bigint;
begin
  if to_regclass('public.custom_values') is null then return; end if;
  for behind in
    select 'company' as noun, tenant_id, min(id) as first, max(id) as last from companies where metadata is not null group by tenant_id
    union all
    select 'contact', tenant_id, min(id), max(id) from contacts where metadata is not null group by tenant_id
    union all
    select 'invoice', tenant_id, min(id), max(id) from invoices where metadata is not null group by tenant_id
  loop
    step := behind.first;
    while step <= behind.last loop
      if behind.noun = 'company' then
        perform write_custom_values(c.tenant_id, 'company', c.id, null, c.metadata) from companies c
        where c.tenant_id = behind.tenant_id and c.id >= step and c.id < step + 1000 and c.metadata is not null and c.deleted_at is null;
      elsif behind.noun = 'contact' then
        perform write_custom_values(c.tenant_id, 'contact', c.id, null, c.metadata) from contacts c
        where c.tenant_id = behind.tenant_id and c.id >= step and c.id < step + 1000 and c.metadata is not null and c.deleted_at is null;
      else
        perform write_custom_values(c.tenant_id, 'invoice', c.id, null, c.metadata) from invoices c
        where c.tenant_id = behind.tenant_id and c.id >= step and c.id < step + 1000 and c.metadata is not null;
      end if;
      commit;
      step := step + 1000;
    end loop;
  end loop;
end $$;
