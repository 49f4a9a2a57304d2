-- At most `most` contacts of a company after a position in its list: the primary ones by folded first name and id, then
-- the others. It runs as the owner because fold() is not leakproof: under row-level security PostgreSQL would read all
-- rows before the position. So it filters by the transaction's tenant itself. Only the list's index has this order; any
-- other plan would have to sort, which is off.
create or replace function contacts_behind(company bigint, behind_primary boolean, behind_name text, behind_id bigint, most bigint)
  returns table (id bigint) language plpgsql stable security definer rows 50
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
    select k.id from public.contacts k
    where k.tenant_id = tenant and k.company_id = company and k.deleted_at is null and k.is_primary = behind_primary
      and (public.fold(k.first_name) collate "C", k.id) > (behind_name, behind_id)
    order by public.fold(k.first_name) collate "C", k.id limit most;
  get diagnostics found = row_count;
  if not behind_primary or found >= most then return; end if;
  return query
    select k.id from public.contacts k
    where k.tenant_id = tenant and k.company_id = company and k.deleted_at is null and k.is_primary = false
    order by public.fold(k.first_name) collate "C", k.id limit most - found;
end
$$;
