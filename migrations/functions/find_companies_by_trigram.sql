-- For find_companies: the first that match all patterns, by the trigram index alone; none if no pattern has a trigram.
create or replace function find_companies_by_trigram(tenant bigint, patterns text[], most integer) returns bigint[]
  language plpgsql stable
  set search_path = pg_catalog, public, pg_temp
  set enable_seqscan = off
  set enable_indexscan = off
  set enable_indexonlyscan = off as $$
declare
  conditions text := (select string_agg(format('c.search_text like %L', p), ' and ') from unnest(patterns) p where length(p) >= length('%abc%'));
  found bigint[];
begin
  if conditions is null then return '{}'; end if;
  execute format($query$
    select array(
      select c.id from public.companies c
      where c.tenant_id = $1 and c.deleted_at is null and %s and c.search_text like all ($2) limit $3
    )
  $query$, conditions) into found using tenant, patterns, most;
  return found;
end
$$;
