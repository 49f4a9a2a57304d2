-- For find_companies: companies that have all words, one of them with one wrong letter. It looks through the tenant's
-- first 5,000. If none matches in a large tenant, it reads up to 1,000 for each word that have one half of it, which a
-- wrong letter leaves intact, and the other words, by the trigram index: a frequent half alone finds too many.
create or replace function find_companies_with_a_typo(tenant bigint, words text[], most integer, is_large boolean) returns bigint[]
  language plpgsql stable
  set search_path = pg_catalog, public, pg_temp
  set plan_cache_mode = force_custom_plan
  set enable_bitmapscan = off
  set enable_seqscan = off as $$
declare
  walked constant integer := 5000;
  looked_through constant integer := 1000;
  found bigint[];
  ids bigint[];
  texts text[];
  place integer;
  word text;
  half text;
  halves text[];
  others text[];
  meant text[];
  candidates bigint[];
begin
  select array_agg(sample.id), array_agg(sample.search_text) into ids, texts from (
    select c.id, c.search_text from public.companies c
    where c.tenant_id = tenant and c.deleted_at is null order by c.id limit walked
  ) sample;
  found := public.one_typo_patterns_among(ids, texts, words, most);
  if is_large and cardinality(found) = 0 then
    for place in 1..cardinality(words) loop
      word := words[place];
      meant := public.one_typo_patterns(word);
      continue when meant is null;
      others := array(select public.search_pattern(w) from unnest(words) with ordinality as o (w, n) where n <> place);
      halves := array[
        public.search_pattern(left(word, greatest(3, (length(word) - 1) / 2))),
        public.search_pattern(right(word, greatest(3, (length(word) - 1) / 2)))
      ];
      foreach half in array halves loop
        continue when exists (select from unnest(texts) as t (folded) where t.folded like half and t.folded like all (others));
        candidates := public.find_companies_by_trigram(tenant, others || half, looked_through);
        found := found || array(
          select c.id from public.companies c
          where c.tenant_id = tenant and c.deleted_at is null and c.id = any (candidates)
            and c.search_text like any (meant) and c.search_text like all (others)
          order by c.id limit most
        );
      end loop;
      exit when cardinality(found) >= most;
    end loop;
  end if;
  return array(select distinct f from unnest(found) f order by f limit most);
end
$$;
