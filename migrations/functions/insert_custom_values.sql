-- The values of a new record in the table custom_values. It looks for no older ones, as write_custom_values does, and
-- calls fold for other texts than ASCII alone: a create with ten values takes a tenth less of PostgreSQL.
create or replace function insert_custom_values(tenant bigint, record_noun text, record bigint, metadata jsonb)
  returns void language plpgsql as $$
begin
  if jsonb_typeof(metadata) = 'object' then
    insert into public.custom_values (tenant_id, noun, key, folded, value, record_id)
    select tenant, record_noun, e.key,
      left(case when octet_length(e.value) = length(e.value) then lower(e.value) else public.fold(e.value) end, 60),
      left(e.value, 256), record
    from jsonb_each_text(metadata) e where e.value is not null;
    if record_noun = 'company' and exists (select from public.company_value_sums s where s.tenant_id = tenant) then
      perform public.append_value_counts(tenant, null, metadata);
    end if;
  end if;
end
$$;
