-- Counts in one walk, and reads the page in another that ends with the page.
create or replace function search_companies_by_walk(
  tenant bigint, pattern text, only_status text, only_assigned_to bigint, page_size bigint, page_offset bigint)
  returns table (id bigint, total bigint) language plpgsql stable
  set search_path = pg_catalog, public, pg_temp
  -- Planned for the tenant: a second process is worth it for a large tenant's count, not for a small one's.
  set plan_cache_mode = force_custom_plan
  set enable_bitmapscan = off
  set enable_seqscan = off as $$
begin
  return query
    select page.id, counted.total
    from (
      select count(*) as total from public.companies c
      where c.tenant_id = tenant and c.deleted_at is null and c.search_text like pattern
        and (only_status is null or c.status = only_status)
        and (only_assigned_to is null or c.assigned_to = only_assigned_to)
    ) counted
    left join (
      select c.id from public.companies c
      where c.tenant_id = tenant and c.deleted_at is null and c.search_text like pattern
        and (only_status is null or c.status = only_status)
        and (only_assigned_to is null or c.assigned_to = only_assigned_to)
      order by c.id limit page_size offset page_offset
    ) page on true;
end
$$;
