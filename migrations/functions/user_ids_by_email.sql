-- The tenant's user with an e-mail address. It runs as the owner, and by one index alone, as company_ids_by_tax_id
-- does.
create or replace function user_ids_by_email(address text) returns table (id bigint)
  language plpgsql stable security definer rows 1
  set search_path = pg_catalog, public, pg_temp
  set plan_cache_mode = force_custom_plan
  set enable_sort = off
  set enable_seqscan = off as $$
declare
  tenant bigint := nullif(current_setting('app.tenant_id', true), '')::bigint;
begin
  return query
    select u.id from public.users u
    where u.tenant_id = tenant and lower(u.email) >= lower(address) and lower(u.email) <= lower(address)
    order by lower(u.email);
end
$$;
