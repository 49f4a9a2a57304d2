-- For find_activities: the newest of at most 5,000 that match, by the index of words alone.
create or replace function find_activities_by_words(tenant bigint, query tsquery, most integer) returns bigint[]
  language plpgsql stable
  set search_path = pg_catalog, public, pg_temp
  set plan_cache_mode = force_custom_plan
  set enable_seqscan = off
  set enable_indexscan = off
  set enable_indexonlyscan = off as $$
begin
  return array(
    select m.id from (
      select a.id, a.at from public.activities a
      where a.tenant_id = tenant and a.note is not null and public.activity_words(a.tenant_id, a.note) @@ query limit 5000
    ) m order by m.at desc, m.id desc limit most
  );
end
$$;
