-- Gives external ids to a resource and returns those that it now has. An id that another live resource has is left out,
-- or with `all_or_none` the key rejects it.
create or replace function claim_external_ids(
  tenant bigint, resource_type text, resource bigint, external jsonb, all_or_none boolean) returns jsonb
  language plpgsql as $$
declare
  pair record;
  kept jsonb := external;
begin
  for pair in select key as source, value as id from jsonb_each_text(coalesce(external, '{}')) loop
    if all_or_none then
      insert into public.external_ids (tenant_id, type, source, external_id, resource_id)
      values (tenant, resource_type, pair.source, pair.id, resource);
    else
      insert into public.external_ids (tenant_id, type, source, external_id, resource_id)
      values (tenant, resource_type, pair.source, pair.id, resource) on conflict do nothing;
      if not found then kept := kept - pair.source; end if;
    end if;
  end loop;
  return nullif(kept, '{}');
end
$$;
