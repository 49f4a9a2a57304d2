-- Appends to the counts that a company left a status for another one; null: it was not shown, or is not shown any more.
create or replace function move_company_count(tenant bigint, changed_block bigint, left_status text, new_status text)
  returns void language plpgsql as $$
declare
  newest bigint;
begin
  if left_status is not null and new_status is not null then
    select s.generation into newest from public.company_count_sums s
    where s.tenant_id = tenant order by s.generation desc limit 1;
    newest := coalesce(newest, 0);
    insert into public.company_count_changes (tenant_id, generation, block, status, n)
    values (tenant, newest, changed_block, left_status, -1), (tenant, newest, changed_block, new_status, 1);
  elsif left_status is not null then
    perform public.append_company_count(tenant, changed_block, left_status, -1);
  elsif new_status is not null then
    perform public.append_company_count(tenant, changed_block, new_status, 1);
  end if;
end
$$;
