-- Up Migration

-- The order of names, without case and accents: a folded text begins with the folded name. It carries all that lists
-- filter by, so that a page of a large tenant visits the wide rows of the table for itself alone.
create index companies_by_name on companies (tenant_id, (search_text collate "C"), id) include (status, assigned_to)
  where deleted_at is null;

-- The deleted ones, the latest first.
create index companies_deleted on companies (tenant_id, deleted_at, id) where deleted_at is not null;

-- search_companies (0005) in another order than ascending ids: the rows of a page come by themselves in that order.
create function search_companies_sorted(
  search text, only_status text, only_assigned_to bigint, by_name boolean, descending boolean, page_size bigint, page_offset bigint)
  returns table (id bigint, total bigint)
  language plpgsql stable security definer rows 50
  set search_path = pg_catalog, public, pg_temp
as $$
declare
  tenant bigint := nullif(current_setting('app.tenant_id', true), '')::bigint;
  pattern text := public.search_pattern(search);
  direction text := case when descending then 'desc' else 'asc' end;
  sorting text := case when by_name then format('c.search_text collate "C" %1$s, c.id %1$s', direction)
    else format('c.id %s', direction) end;
  sampled bigint := 0;
  matched bigint;
begin
  if length(pattern) >= length('%abc%') then
    select count(*), count(*) filter (where sample.search_text like pattern) into sampled, matched
    from (
      select c.search_text from public.companies c
      where c.tenant_id = tenant and c.deleted_at is null order by c.id limit 500
    ) sample;
  end if;
  if sampled < 500 or matched >= 15 then
    return query select * from public.search_companies_sorted_by_walk(
      tenant, pattern, only_status, only_assigned_to, sorting, page_size, page_offset);
  else
    return query select * from public.search_companies_sorted_by_trigram(
      tenant, pattern, only_status, only_assigned_to, sorting, page_size, page_offset);
  end if;
end
$$;

create function search_companies_sorted_by_walk(
  tenant bigint, pattern text, only_status text, only_assigned_to bigint, sorting text, page_size bigint, page_offset bigint)
  returns table (id bigint, total bigint)
  language plpgsql stable
  set search_path = pg_catalog, public, pg_temp
  set enable_bitmapscan = off
  set enable_seqscan = off
as $$
begin
  return query execute format($query$
    select page.id, counted.total
    from (
      select count(*) as total from public.companies c
      where c.tenant_id = $1 and c.deleted_at is null and c.search_text like $2
        and ($3 is null or c.status = $3) and ($4 is null or c.assigned_to = $4)
    ) counted
    left join (
      select c.id from public.companies c
      where c.tenant_id = $1 and c.deleted_at is null and c.search_text like $2
        and ($3 is null or c.status = $3) and ($4 is null or c.assigned_to = $4)
      order by %s limit $5 offset $6
    ) page on true
  $query$, sorting) using tenant, pattern, only_status, only_assigned_to, page_size, page_offset;
end
$$;

create function search_companies_sorted_by_trigram(
  tenant bigint, pattern text, only_status text, only_assigned_to bigint, sorting text, page_size bigint, page_offset bigint)
  returns table (id bigint, total bigint)
  language plpgsql stable
  set search_path = pg_catalog, public, pg_temp
  set enable_seqscan = off
  set enable_indexscan = off
  set enable_indexonlyscan = off
as $$
begin
  return query execute format($query$
    with matches as materialized (
      select c.id, c.search_text from public.companies c
      where c.tenant_id = $1 and c.deleted_at is null and c.search_text like $2
        and ($3 is null or c.status = $3) and ($4 is null or c.assigned_to = $4)
    )
    select page.id, counted.total
    from (select count(*) as total from matches) counted
    left join (select c.id from matches c order by %s limit $5 offset $6) page on true
  $query$, sorting) using tenant, pattern, only_status, only_assigned_to, page_size, page_offset;
end
$$;

revoke all on function
  search_companies_sorted, search_companies_sorted_by_walk, search_companies_sorted_by_trigram from public;
grant execute on function search_companies_sorted to liaison_app;
