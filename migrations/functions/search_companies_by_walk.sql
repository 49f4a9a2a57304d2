-- Counts in one walk, and reads the page in another, by the index of its order, that ends with the page. Both are
-- planned for the tenant: a large one's count is worth a second process, a small one's is not.
create or replace function search_companies_by_walk(
  tenant bigint, pattern text, only_status text, only_assigned_to bigint, by_name boolean, descending boolean,
  page_size bigint, page_offset bigint)
  returns table (id bigint, total bigint) language plpgsql stable
  set search_path = pg_catalog, public, pg_temp
  set enable_bitmapscan = off
  set enable_seqscan = off as $$
declare
  direction text := case when descending then 'desc' else 'asc' end;
  sorting text := case when by_name then format('m.search_text collate "C" %1$s, m.id %1$s', direction) else 'm.id ' || direction end;
begin
  return query execute format($query$
    with matches as not materialized (
      select c.id, c.search_text from public.companies c
      where c.tenant_id = $1 and c.deleted_at is null and c.search_text like $2
        and ($3 is null or c.status = $3) and ($4 is null or c.assigned_to = $4)
    )
    select page.id, counted.total
    from (select count(*) as total from matches) counted
    left join (select m.id from matches m order by %s limit $5 offset $6) page on true
  $query$, sorting) using tenant, pattern, only_status, only_assigned_to, page_size, page_offset;
end
$$;
