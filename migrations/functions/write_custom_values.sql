-- Makes the table custom_values equal to the column `metadata` of a record; null of a record that is not found by its
-- values. A filter has fewer than 256 characters, so longer texts are cut. Values are inserted together, and removed
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
      delete from public.custom_values v
      where v.tenant_id = tenant and v.noun = record_noun and v.key = pair.key
        and v.folded = left(public.fold(pair.value), 60) and v.value = left(pair.value, 256) and v.record_id = record;
    end loop;
  end if;
  if jsonb_typeof(after) = 'object' then
    insert into public.custom_values (tenant_id, noun, key, folded, value, record_id)
    select tenant, record_noun, e.key, left(public.fold(e.value), 60), left(e.value, 256), record
    from jsonb_each_text(after) e where before is null or before ->> e.key is distinct from e.value
    on conflict do nothing;
  end if;
  if record_noun = 'company' and exists (select from public.company_value_sums s where s.tenant_id = tenant) then
    perform public.append_value_counts(tenant, before, after);
  end if;
end
$$;
