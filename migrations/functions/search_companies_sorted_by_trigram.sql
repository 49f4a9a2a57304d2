-- As search_companies_by_trigram, in the order that `sorting` names.
create or replace function search_companies_sorted_by_trigram(
  tenant bigint, pattern text, only_status text, only_assigned_to bigint, sorting text, page_size bigint, page_offset bigint)
  returns table (id bigint, total bigint) language plpgsql stable
  set search_path = pg_catalog, public, pg_temp
  set enable_seqscan = off
  set enable_indexscan = off
  set enable_indexonlyscan = off as $$
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
