-- Finds matches by the trigram index, for patterns that probably few companies match; the settings allow no other way.
create or replace function search_companies_by_trigram(
  tenant bigint, pattern text, only_status text, only_assigned_to bigint, by_name boolean, descending boolean,
  page_size bigint, page_offset bigint)
  returns table (id bigint, total bigint) language plpgsql stable
  set search_path = pg_catalog, public, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
  set enable_indexscan = off
  set enable_indexonlyscan = off as $$
begin
  return query
    with matches as materialized (
      select c.id, case when by_name then c.search_text end collate "C" as name from public.companies c
      where c.tenant_id = tenant and c.deleted_at is null and c.search_text like pattern
        and (only_status is null or c.status = only_status)
        and (only_assigned_to is null or c.assigned_to = only_assigned_to)
    )
    select page.id, counted.total
    from (select count(*) as total from matches) counted
    left join (
      select m.id from matches m
      order by case when not descending then m.name end, case when not descending then m.id end, m.name desc, m.id desc
      limit page_size offset page_offset
    ) page on true;
end
$$;
