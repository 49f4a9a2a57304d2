-- For find_companies: those that have all words but for one letter of one of them. A wrong letter leaves one half of its word as it
-- is, so companies with a half and with the other words are looked through: the tenant's first 5,000; and of a large tenant, where
-- these have none with that half, up to 1,000 that the trigram index finds. Of a half that is frequent it would find too many.
create or replace function find_companies_but_for_a_letter(tenant bigint, words text[], most integer, is_large boolean) returns bigint[]
  language plpgsql stable
  set search_path = pg_catalog, public, pg_temp
  set plan_cache_mode = force_custom_plan
  set enable_bitmapscan = off
  set enable_seqscan = off
as $$
declare
  walked constant integer := 5000;
  looked_through constant integer := 1000;
  found bigint[] := '{}';
  ids bigint[];
  texts text[];
  place integer;
  word text;
  half text;
  halves text[];
  ends text[];
  others text[];
  meant text[];
  candidates bigint[];
begin
  select array_agg(sample.id), array_agg(sample.search_text) into ids, texts from (
    select c.id, c.search_text from public.companies c
    where c.tenant_id = tenant and c.deleted_at is null order by c.id limit walked
  ) sample;
  for place in 1..cardinality(words) loop
    word := words[place];
    meant := public.but_for_a_letter(word);
    continue when meant is null;
    others := array(select public.search_pattern(w) from unnest(words) with ordinality as o (w, n) where n <> place);
    -- Two letters that changed places touch one of them at most.
    halves := array[
      public.search_pattern(left(word, greatest(3, (length(word) - 1) / 2))),
      public.search_pattern(right(word, greatest(3, (length(word) - 1) / 2)))
    ];
    ends := array[public.search_pattern(left(word, 2)), public.search_pattern(right(word, 2))];
    found := found || array(
      select s.id from unnest(ids, texts) as s (id, folded)
      where s.folded like any (ends) and s.folded like all (others) and s.folded like any (meant) limit most
    );
    if is_large and cardinality(found) = 0 then
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
    end if;
    exit when cardinality(found) >= most;
  end loop;
  return array(select distinct f from unnest(found) f order by f limit most);
end
$$;
