-- At most `most` companies that match words typed by a person (docs/decisions/0052-finding-anything.md). First come
-- those whose name begins with the text, then those that have every word, whole words before parts. If there is none,
-- those with one wrong letter. Each step reads a bounded part of the tenant. It runs as the owner, as search_companies
-- does.
create or replace function find_companies(typed text, most integer) returns table (id bigint)
  language plpgsql stable security definer rows 10
  set search_path = pg_catalog, public, pg_temp
  set plan_cache_mode = force_custom_plan
  set enable_bitmapscan = off
  set enable_seqscan = off as $$
declare
  -- The number of companies that are walked before the trigram index is used: if one in a thousand matches, these
  -- contain five.
  walked constant integer := 5000;
  tenant bigint := nullif(current_setting('app.tenant_id', true), '')::bigint;
  beginning text := nullif(public.fold(normalize(typed, NFC)), '');
  words text[] := array(select w from unnest(regexp_split_to_array(beginning, '\s+')) w where w <> '' limit 5);
  patterns text[] := array(select public.search_pattern(w) from unnest(words) w);
  -- The patterns end and begin with a percent sign.
  wholes text[] := array(select '% ' || translate(btrim(p, '%'), '-/.,', '    ') || ' %' from unnest(patterns) p);
  found bigint[];
  more bigint[];
  sampled integer;
begin
  if beginning is null or cardinality(words) = 0 then return; end if;
  found := array(
    select c.id from public.companies c
    where c.tenant_id = tenant and c.deleted_at is null
      and c.search_text collate "C" >= beginning and c.search_text collate "C" <= beginning || chr(1114111)
    order by c.search_text collate "C" limit most
  );
  if cardinality(found) < most then
    -- An aggregate in the order of its input: PostgreSQL 16 sorts all walked companies for one with an order.
    select count(*), coalesce(array_agg(sample.id) filter (where sample.matches
        and ' ' || translate(sample.search_text, chr(31) || '-/.,', '     ') || ' ' like all (wholes)), '{}')
      || coalesce(array_agg(sample.id) filter (where sample.matches
        and not ' ' || translate(sample.search_text, chr(31) || '-/.,', '     ') || ' ' like all (wholes)), '{}')
    into sampled, more
    from (
      select c.id, c.search_text, c.search_text like all (patterns) as matches from public.companies c
      where c.tenant_id = tenant and c.deleted_at is null order by c.id limit walked
    ) sample;
    if sampled = walked and cardinality(more) < most then
      more := array(
        select c.id from unnest(more || public.find_companies_by_trigram(tenant, patterns, most)) m (id)
        join public.companies c on c.tenant_id = tenant and c.id = m.id
        group by c.id, c.search_text
        order by ' ' || translate(c.search_text, chr(31) || '-/.,', '     ') || ' ' like all (wholes) desc, c.id
      );
    end if;
    found := found || array(
      select m.id from unnest(more) with ordinality m (id, place)
      where m.id <> all (found) group by m.id order by min(m.place) limit most
    );
  end if;
  if cardinality(found) = 0 then
    found := public.find_companies_with_a_typo(tenant, words, most, sampled = walked);
  end if;
  return query select unnest(found[1:most]);
end
$$;
