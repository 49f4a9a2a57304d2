-- Up Migration

-- The contacts of a company that come behind a place in its list, `most` at most, in their order: the primary ones by their folded
-- first names and ids, then the others. As search_companies it runs as the owner, because fold() is not leakproof: under a
-- row-level-security policy PostgreSQL would read all that comes before the place. So it filters by the transaction's tenant itself, and
-- takes no tenant from its caller. The one index that has the list's order serves it: whatever else finds the rows would have to
-- sort them, and may not.
create or replace function contacts_behind(company bigint, behind_primary boolean, behind_name text, behind_id bigint, most bigint)
  returns table (id bigint)
  language plpgsql stable security definer rows 50
  set search_path = pg_catalog, public, pg_temp
  set plan_cache_mode = force_custom_plan
  set enable_sort = off
  set enable_bitmapscan = off
  set enable_seqscan = off
as $$
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

-- As contacts_behind, of addresses: the default ones by their ids, then the others. What it compares is leakproof, so it runs as its
-- caller.
create or replace function addresses_behind(company bigint, behind_default boolean, behind_id bigint, most bigint)
  returns table (id bigint)
  language plpgsql stable rows 50
  set search_path = pg_catalog, public, pg_temp
  set plan_cache_mode = force_custom_plan
  set enable_sort = off
  set enable_bitmapscan = off
  set enable_seqscan = off
as $$
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

-- The ids of the companies that filters leave, in no order, where they are `most` at most; null where they are more, or where no index
-- finds them: there is no other filter than a text too short for a trigram. As search_companies it runs as the owner, filters by the
-- transaction's tenant itself, and takes no tenant from its caller; the settings leave no other way than the filters' indexes.
create or replace function few_companies(search text, only_status text, only_assigned_to bigint, most bigint) returns bigint[]
  language plpgsql stable security definer
  set search_path = pg_catalog, public, pg_temp
  set enable_seqscan = off
  set enable_indexscan = off
  set enable_indexonlyscan = off
as $$
declare
  tenant bigint := nullif(current_setting('app.tenant_id', true), '')::bigint;
  pattern text := public.search_pattern(search);
  conditions text := concat(
    case when search is not null then ' and c.search_text like $2' end,
    case when only_status is not null then ' and c.status = $3' end,
    case when only_assigned_to is not null then ' and c.assigned_to = $4' end
  );
  found bigint[];
begin
  if only_status is null and only_assigned_to is null and length(pattern) < length('%abc%') then return null; end if;
  execute format($query$
    select array(select c.id from public.companies c where c.tenant_id = $1 and c.deleted_at is null %s limit $5)
  $query$, conditions) into found using tenant, pattern, only_status, only_assigned_to, most + 1;
  return case when cardinality(found) <= most then found end;
end
$$;

revoke all on function contacts_behind, few_companies from public;
grant execute on function contacts_behind, few_companies to liaison_app;

-- Made anew, last: where all that the indexes of a table promise is a row, PostgreSQL takes the one that was made last. Of invoices
-- without a date, of a table without statistics, invoices_by_date promises no more of the tenant than this one of the company.
drop index invoices_of_company_by_date;
create index invoices_of_company_by_date on invoices (tenant_id, company_id, issued_on desc nulls last, id desc);
