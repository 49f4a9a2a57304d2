-- For find_phones: the same for the second number of a field, and for those behind it, by the indexes of their digests
-- alone.
create or replace function find_further_phones(tenant bigint, prefix text, most bigint) returns table (place text, id bigint)
  language plpgsql stable rows 10
  set search_path = pg_catalog, public, pg_temp
  set plan_cache_mode = force_custom_plan
  set enable_seqscan = off
  set enable_indexscan = off
  set enable_indexonlyscan = off as $$
declare
  sought text[] := array[tenant || '/' || prefix];
begin
  return query
    (select 'companies', c.id from public.companies c
      where c.tenant_id = tenant and c.deleted_at is null and split_part(c.phone, '=', 3) <> ''
        and public.phone_endings(c.tenant_id, c.phone) @> sought limit most)
    union all
    (select 'contacts', c.id from public.contacts c
      where c.tenant_id = tenant and c.deleted_at is null and split_part(c.phone, '=', 3) <> ''
        and public.phone_endings(c.tenant_id, c.phone) @> sought limit most)
    union all
    (select 'contacts', c.id from public.contacts c
      where c.tenant_id = tenant and c.deleted_at is null and split_part(c.mobile, '=', 3) <> ''
        and public.phone_endings(c.tenant_id, c.mobile) @> sought limit most)
    union all
    (select 'addresses', a.id from public.addresses a
      where a.tenant_id = tenant and a.deleted_at is null and split_part(a.phone, '=', 3) <> ''
        and public.phone_endings(a.tenant_id, a.phone) @> sought limit most);
end
$$;
