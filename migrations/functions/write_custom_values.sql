-- Makes the table value_entries equal to the column `metadata` of a record; null of a record that is not found by its
-- values.  Values are inserted together, and removed
-- one by one: a join would have a plan of its own.
create or replace function write_custom_values(tenant bigint, record_noun text, record bigint, before jsonb, after jsonb)
  returns void language plpgsql as $$
declare
  pair record;
begin
  if before is not distinct from after then return; end if;
  if jsonb_typeof(before) = 'object' then
    for pair in select key, value from jsonb_each_text(before) loop
      continue when after ->> pair.key = pair.value;
      delete from public.value_entries v
      where v.tenant_id = tenant and v.entry = public.value_entry(record_noun, pair.key, pair.value)
        and v.record_id = record;
    end loop;
  end if;
  if jsonb_typeof(after) = 'object' then
    insert into public.value_entries (tenant_id, entry, record_id)
    select tenant, public.value_entry(record_noun, e.key, e.value), record
    from jsonb_each_text(after) e
    where e.value is not null and (before is null or before ->> e.key is distinct from e.value)
    on conflict do nothing;
  end if;
  if record_noun = 'company' and exists (select from public.company_value_sums s where s.tenant_id = tenant) then
    perform public.append_value_counts(tenant, before, after);
  end if;
end
$$;
