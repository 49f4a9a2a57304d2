-- Gives external ids to a resource and returns those that it now has. An id that another live resource has is left out,
-- or with `all_or_none` the key rejects it. It may be a former id of the resource itself.
create or replace function claim_external_ids(
  tenant bigint, resource_type text, resource bigint, external jsonb, all_or_none boolean) returns jsonb
  language plpgsql as $$
declare
  pair record;
  kept jsonb := external;
begin
  for pair in select key as source, value as id from jsonb_each_text(coalesce(external, '{}')) loop
    continue when exists (
      select from public.external_ids e where e.tenant_id = tenant and e.type = resource_type and e.source = pair.source
        and e.external_id = pair.id and e.resource_id = resource);
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
