-- The ids of the companies that match the filters, unordered; null if they are more than `most`, or if no index finds
-- them (the only filter is a text too short for a trigram). It runs as the owner, as search_companies does. The
-- settings leave only the filters' indexes.
create or replace function matching_company_ids(search text, only_status text, only_assigned_to bigint, most bigint) returns bigint[]
  language plpgsql stable security definer
  set search_path = pg_catalog, public, pg_temp
  set enable_seqscan = off
  set enable_indexscan = off
  set enable_indexonlyscan = off as $$
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
