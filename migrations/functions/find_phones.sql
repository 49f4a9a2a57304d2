-- Companies, contacts and addresses whose phone digests begin with a prefix (docs/decisions/0052-finding-anything.md),
-- at most `most` for each column. It runs as the owner because split_part() is not leakproof: under row-level security
-- PostgreSQL would read every row of the tenant. So it filters by the transaction's tenant itself. Only the index has
-- the digests in order; any other plan would have to sort, which is off.
create or replace function find_phones(prefixes text[], most bigint) returns table (place text, id bigint)
  language plpgsql stable security definer rows 10
  set search_path = pg_catalog, public, pg_temp
  set plan_cache_mode = force_custom_plan
  set enable_sort = off
  set enable_seqscan = off as $$
declare
  tenant bigint := nullif(current_setting('app.tenant_id', true), '')::bigint;
  prefix text;
begin
  foreach prefix in array prefixes loop
    return query
      select 'companies', c.id from public.companies c
      where c.tenant_id = tenant and c.deleted_at is null and c.phone is not null
        and split_part(c.phone, '=', 2) collate "C" >= prefix and split_part(c.phone, '=', 2) collate "C" <= prefix || '~'
      order by split_part(c.phone, '=', 2) collate "C" limit most;
    return query
      select 'contacts', c.id from public.contacts c
      where c.tenant_id = tenant and c.deleted_at is null and c.phone is not null
        and split_part(c.phone, '=', 2) collate "C" >= prefix and split_part(c.phone, '=', 2) collate "C" <= prefix || '~'
      order by split_part(c.phone, '=', 2) collate "C" limit most;
    return query
      select 'contacts', c.id from public.contacts c
      where c.tenant_id = tenant and c.deleted_at is null and c.mobile is not null
        and split_part(c.mobile, '=', 2) collate "C" >= prefix and split_part(c.mobile, '=', 2) collate "C" <= prefix || '~'
      order by split_part(c.mobile, '=', 2) collate "C" limit most;
    return query
      select 'addresses', a.id from public.addresses a
      where a.tenant_id = tenant and a.deleted_at is null and a.phone is not null
        and split_part(a.phone, '=', 2) collate "C" >= prefix and split_part(a.phone, '=', 2) collate "C" <= prefix || '~'
      order by split_part(a.phone, '=', 2) collate "C" limit most;
    return query select f.place, f.id from public.find_further_phones(tenant, prefix, most) f;
  end loop;
end
$$;
