-- At most `most` activities whose notes have words that begin with each word of a text, the newest first. The newest
-- 2,000 are read first, in their order and no further than needed: they have the common words. If their notes are long,
-- fewer are read, because each is folded. The index finds rarer words. It runs as the owner, as search_companies does.
create or replace function find_activities(typed text, most integer) returns table (id bigint)
  language plpgsql stable security definer rows 10
  set search_path = pg_catalog, public, pg_temp
  set plan_cache_mode = force_custom_plan
  set enable_bitmapscan = off
  set enable_seqscan = off as $$
declare
  newest constant integer := 2000;
  bytes_left integer := 524288;
  tenant bigint := nullif(current_setting('app.tenant_id', true), '')::bigint;
  words text[] := array(
    select substr(w, length(tenant::text) + 2)
    from unnest(tsvector_to_array(public.activity_words(tenant, normalize(typed, NFC)))) w limit 5
  );
  patterns text[] := array(select public.search_pattern(w) from unnest(words) w);
  query tsquery := (select string_agg(format('''%s/%s'':*', tenant, w), ' & ')::tsquery from unnest(words) w);
  likely record;
  found bigint[] := '{}';
begin
  if query is null then return; end if;
  for likely in
    select a.id, a.note from public.activities a where a.tenant_id = tenant order by a.at desc, a.id desc limit newest
  loop
    bytes_left := bytes_left - coalesce(octet_length(likely.note), 0);
    exit when bytes_left < 0 or cardinality(found) >= most;
    if public.fold(likely.note) like all (patterns) and public.activity_words(tenant, likely.note) @@ query then
      found := found || likely.id;
    end if;
  end loop;
  if cardinality(found) < most then
    found := found || array(
      select f from unnest(public.find_activities_by_words(tenant, query, most)) f where f <> all (found)
    );
  end if;
  return query select unnest(found[1:most]);
end
$$;
