-- search_companies in another order than ascending ids: the rows of a page are returned in that order.
create or replace function search_companies_sorted(
  search text, only_status text, only_assigned_to bigint, by_name boolean, descending boolean, page_size bigint, page_offset bigint)
  returns table (id bigint, total bigint) language plpgsql stable security definer rows 50
  set search_path = pg_catalog, public, pg_temp as $$
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
