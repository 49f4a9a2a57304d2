-- For find_companies: those that have all words but for one letter of one of them. A wrong letter leaves one half of its word as it
-- is: of a large tenant the companies with a half, and with the other words, are looked through, 1,000 at most.
create or replace function find_companies_but_for_a_letter(tenant bigint, words text[], most integer, is_large boolean) returns bigint[]
  language plpgsql stable
  set search_path = pg_catalog, public, pg_temp
  set plan_cache_mode = force_custom_plan
  set enable_bitmapscan = off
  set enable_seqscan = off
as $$
declare
  looked_through constant integer := 1000;
  found bigint[] := '{}';
  place integer;
  word text;
  others text[];
  meant text[];
  candidates bigint[];
begin
  for place in 1..cardinality(words) loop
    word := words[place];
    meant := public.but_for_a_letter(word);
    continue when meant is null;
    others := array(select public.search_pattern(w) from unnest(words) with ordinality as o (w, n) where n <> place);
    if is_large then
      candidates :=
        public.find_companies_by_trigram(tenant, others || public.search_pattern(left(word, greatest(3, length(word) / 2))), looked_through)
        || public.find_companies_by_trigram(tenant, others || public.search_pattern(right(word, greatest(3, (length(word) + 1) / 2))), looked_through);
    end if;
    found := found || array(
      select c.id from public.companies c
      where c.tenant_id = tenant and c.deleted_at is null and (candidates is null or c.id = any (candidates))
        and c.search_text like any (meant) and c.search_text like all (others)
      order by c.id limit most
    );
    exit when cardinality(found) >= most;
  end loop;
  return array(select distinct f from unnest(found) f order by f limit most);
end
$$;
