-- The tenant's live companies with these names, without case and accents; `ordinal` is the position of the name, from
-- 1. At most two of each: with a second one, the name identifies no company. A folded name stands at the beginning of
-- search_text, before a unit separator. It runs as the owner, and by one index alone, as company_ids_by_tax_id does.
create or replace function company_ids_by_name(names text[]) returns table (ordinal bigint, id bigint)
  language plpgsql stable security definer
  set search_path = pg_catalog, public, pg_temp
  set plan_cache_mode = force_custom_plan
  set enable_sort = off
  set enable_bitmapscan = off
  set enable_seqscan = off as $$
declare
  tenant bigint := nullif(current_setting('app.tenant_id', true), '')::bigint;
begin
  return query
    select sent.ordinal, company.id
    from unnest(names) with ordinality as sent (name, ordinal)
    cross join lateral (select public.fold(sent.name) || E'\x1f' as start offset 0) folded
    cross join lateral (
      select c.id from public.companies c
      where c.tenant_id = tenant and c.deleted_at is null
        and c.search_text collate "C" >= folded.start
        and c.search_text collate "C" < left(folded.start, -1) || E'\x20'
      order by c.search_text collate "C"
      limit 2
    ) company;
end
$$;
