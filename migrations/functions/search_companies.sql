-- One page of the ids that match a search, in the order of the page, and the number of all matches (beyond the last
-- page: one row with a null id). These functions run as the owner because LIKE is not leakproof: behind row-level
-- security PostgreSQL would use no index for it (106 ms instead of 1.4 ms). So they filter by the transaction's tenant
-- themselves.
--
-- The first 500 rows show which way is quicker: a match by the trigram index costs as much as some 30 walked rows. If
-- at least 3 % match, or the text is too short for a trigram, the tenant's rows are walked; else the trigram index
-- finds the few. A tenant of less than 500 companies is always walked.
create or replace function search_companies(
  search text, only_status text, only_assigned_to bigint, by_name boolean, descending boolean, page_size bigint, page_offset bigint)
  returns table (id bigint, total bigint) language plpgsql stable security definer rows 50
  set search_path = pg_catalog, public, pg_temp as $$
declare
  tenant bigint := nullif(current_setting('app.tenant_id', true), '')::bigint;
  pattern text := public.search_pattern(search);
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
    return query select * from public.search_companies_by_walk(
      tenant, pattern, only_status, only_assigned_to, by_name, descending, page_size, page_offset);
  else
    return query select * from public.search_companies_by_trigram(
      tenant, pattern, only_status, only_assigned_to, by_name, descending, page_size, page_offset);
  end if;
end
$$;
