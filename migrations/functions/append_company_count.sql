-- Appends a change of the counts to the generation of the newest sums. Updated counters would bloat under every long
-- snapshot.
create or replace function append_company_count(tenant bigint, changed_block bigint, changed_status text, difference bigint)
  returns void language plpgsql as $$
declare
  newest bigint;
begin
  select s.generation into newest from public.company_count_sums s
  where s.tenant_id = tenant order by s.generation desc limit 1;
  insert into public.company_count_changes (tenant_id, generation, block, status, n)
  values (tenant, coalesce(newest, 0), changed_block, changed_status, difference);
end
$$;
