-- Makes the table custom_values equal to the column `metadata` of a record; null of a record that is not found by its
-- values. A filter has fewer than 256 characters, so longer texts are cut.
create or replace function write_custom_values(tenant bigint, record_noun text, record bigint, before jsonb, after jsonb)
  returns void language plpgsql as $$
declare
  pair record;
begin
  if before is not distinct from after then return; end if;
  for pair in select key, value from jsonb_each_text(case when jsonb_typeof(before) = 'object' then before end) loop
    continue when after ->> pair.key = pair.value;
    delete from public.custom_values v
    where v.tenant_id = tenant and v.noun = record_noun and v.key = pair.key
      and v.folded = left(public.fold(pair.value), 60) and v.value = left(pair.value, 256) and v.record_id = record;
  end loop;
  for pair in select key, value from jsonb_each_text(case when jsonb_typeof(after) = 'object' then after end) loop
    continue when before ->> pair.key = pair.value;
    insert into public.custom_values (tenant_id, noun, key, folded, value, record_id)
    values (tenant, record_noun, pair.key, left(public.fold(pair.value), 60), left(pair.value, 256), record)
    on conflict do nothing;
  end loop;
end
$$;
