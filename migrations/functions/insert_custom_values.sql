-- The values of a new record in the table value_entries. It looks for no older ones, as write_custom_values does.
create or replace function insert_custom_values(tenant bigint, record_noun text, record bigint, metadata jsonb)
  returns void language plpgsql as $$
begin
  if jsonb_typeof(metadata) = 'object' then
    insert into public.value_entries (tenant_id, entry, record_id)
    select tenant, public.value_entry(record_noun, e.key, e.value), record
    from jsonb_each_text(metadata) e where e.value is not null;
    if record_noun = 'company' and exists (select from public.company_value_sums s where s.tenant_id = tenant) then
      perform public.append_value_counts(tenant, null, metadata);
    end if;
  end if;
end
$$;
