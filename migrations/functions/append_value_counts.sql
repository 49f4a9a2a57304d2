-- Appends the changes that a write of a company's values makes to the counts of common values.
create or replace function append_value_counts(tenant bigint, before jsonb, after jsonb) returns void language plpgsql as $$
declare
  change record;
begin
  for change in
    select s.id, case when after ->> s.key = s.value then 1 else -1 end as n
    from public.company_value_sums s
    where s.tenant_id = tenant
      and coalesce(before ->> s.key = s.value, false) <> coalesce(after ->> s.key = s.value, false)
  loop
    insert into public.company_value_changes (tenant_id, sum_id, n) values (tenant, change.id, change.n);
  end loop;
end
$$;
