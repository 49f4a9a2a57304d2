-- As contacts_behind, for addresses: the default ones first. Its comparisons are leakproof, so it runs as its caller.
create or replace function addresses_behind(company bigint, behind_default boolean, behind_id bigint, most bigint)
  returns table (id bigint) language plpgsql stable rows 50
  set search_path = pg_catalog, public, pg_temp
  set plan_cache_mode = force_custom_plan
  set enable_sort = off
  set enable_bitmapscan = off
  set enable_seqscan = off as $$
declare
  tenant bigint := nullif(current_setting('app.tenant_id', true), '')::bigint;
  found bigint;
begin
  return query
    select k.id from public.addresses k
    where k.tenant_id = tenant and k.company_id = company and k.deleted_at is null and k.is_default = behind_default
      and k.id > behind_id
    order by k.id limit most;
  get diagnostics found = row_count;
  if not behind_default or found >= most then return; end if;
  return query
    select k.id from public.addresses k
    where k.tenant_id = tenant and k.company_id = company and k.deleted_at is null and k.is_default = false
    order by k.id limit most - found;
end
$$;
