-- The ids of at most `most` texts that have all words, one of them with one wrong letter. A wrong letter leaves one
-- half of its word intact. So only texts with a half and the other words are compared in full: 1,000 for each word.
create or replace function one_typo_patterns_among(ids bigint[], texts text[], words text[], most integer) returns bigint[]
  language plpgsql immutable
  set search_path = pg_catalog, public, pg_temp as $$
declare
  compared constant integer := 1000;
  found bigint[] := '{}';
  place integer;
  half integer;
  halves text[];
  others text[];
  meant text[];
begin
  for place in 1..cardinality(words) loop
    meant := public.one_typo_patterns(words[place]);
    continue when meant is null;
    -- Two letters that changed places touch one of them at most.
    half := greatest(2, (length(words[place]) - 1) / 2);
    halves := array[public.search_pattern(left(words[place], half)), public.search_pattern(right(words[place], half))];
    others := array(select public.search_pattern(w) from unnest(words) with ordinality as o (w, n) where n <> place);
    found := found || array(
      select s.id from (
        select t.id, t.folded from unnest(ids, texts) as t (id, folded)
        where t.folded like any (halves) and t.folded like all (others) limit compared
      ) s where s.folded like any (meant) limit most
    );
    exit when cardinality(found) >= most;
  end loop;
  return found;
end
$$;
