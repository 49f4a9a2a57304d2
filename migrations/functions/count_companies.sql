-- Appends the changes that an insert or delete makes to the counts. Per statement: an import of 500 rows appends a few
-- rows.
create or replace function count_companies() returns trigger language plpgsql as $$
declare
  change record;
begin
  for change in
    select tenant_id, id / 4096 as block, status, case tg_op when 'INSERT' then count(*) else -count(*) end as n
    from changed where deleted_at is null group by tenant_id, id / 4096, status
  loop
    perform public.append_company_count(change.tenant_id, change.block, change.status, change.n);
  end loop;
  return null;
end
$$;
