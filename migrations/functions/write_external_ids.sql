-- Makes the table external_ids equal to the column `external` of a live resource after an update.
create or replace function write_external_ids(tenant bigint, resource_type text, resource bigint, before jsonb, after jsonb)
  returns void language plpgsql as $$
begin
  if (select count(*) from jsonb_object_keys(after)) > 10 then
    raise exception using errcode = 'check_violation', constraint = 'external_ids_most',
      message = 'a resource has at most 10 external ids: "external_ids_most"';
  end if;
  perform public.release_external_ids(tenant, resource_type, resource, (
    select jsonb_object_agg(key, value) from jsonb_each(before) where after -> key is distinct from value));
  perform public.claim_external_ids(tenant, resource_type, resource, (
    select jsonb_object_agg(key, value) from jsonb_each(after)
    where coalesce(before, '{}') -> key is distinct from value), true);
end
$$;
