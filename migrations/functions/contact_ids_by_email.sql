-- The tenant's contacts with an e-mail address, without case, also those of deleted companies. It runs as the owner,
-- and by one index alone, as company_ids_by_tax_id does. The index leaves out accents too.
create or replace function contact_ids_by_email(address text) returns table (id bigint)
  language plpgsql stable security definer rows 1
  set search_path = pg_catalog, public, pg_temp
  set plan_cache_mode = force_custom_plan
  set enable_sort = off
  set enable_bitmapscan = off
  set enable_seqscan = off as $$
declare
  tenant bigint := nullif(current_setting('app.tenant_id', true), '')::bigint;
  folded text := public.fold(address);
begin
  return query
    select k.id from public.contacts k
    where k.tenant_id = tenant and k.deleted_at is null and k.email is not null
      and public.fold(k.email) collate "C" >= folded and public.fold(k.email) collate "C" <= folded
      and lower(k.email) = lower(address)
    order by public.fold(k.email) collate "C";
end
$$;
