-- Makes external ids of a resource free for others.
create or replace function release_external_ids(tenant bigint, resource_type text, resource bigint, external jsonb)
  returns void language plpgsql as $$
declare
  pair record;
begin
  for pair in select key as source, value as id from jsonb_each_text(coalesce(external, '{}')) loop
    delete from public.external_ids e
    where e.tenant_id = tenant and e.type = resource_type and e.source = pair.source and e.external_id = pair.id
      and e.resource_id = resource;
  end loop;
end
$$;
