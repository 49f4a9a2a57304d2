-- At most `most` contacts of any company that match words typed by a person. Of the newest 2,000, those that have every
-- word as a part of a word; then all whose name, in either order, or e-mail begins with the text; if there is none,
-- those of the newest with one wrong letter. There is no index of parts of names, because every import would pay for
-- it. It runs as the owner, as search_companies does.
create or replace function find_contacts(typed text, most integer) returns table (id bigint, is_exact boolean)
  language plpgsql stable security definer rows 10
  set search_path = pg_catalog, public, pg_temp
  set plan_cache_mode = force_custom_plan
  set enable_bitmapscan = off
  set enable_seqscan = off as $$
declare
  newest constant integer := 2000;
  tenant bigint := nullif(current_setting('app.tenant_id', true), '')::bigint;
  beginning text := nullif(public.fold(normalize(typed, NFC)), '');
  behind text := beginning || chr(1114111);
  words text[] := array(select w from regexp_split_to_table(beginning, '\s+') w where w <> '' limit 5);
  patterns text[] := array(select public.search_pattern(w) from unnest(words) w);
  ids bigint[];
  texts text[];
  found bigint[];
begin
  if beginning is null or cardinality(words) = 0 then return; end if;
  select array_agg(sample.id), array_agg(sample.folded) into ids, texts from (
    select k.id, public.fold(k.first_name || ' ' || k.last_name || E'\x1f' || coalesce(k.email, '')) as folded
    from public.contacts k where k.tenant_id = tenant and k.deleted_at is null order by k.id desc limit newest
  ) sample;
  found := array(select s.id from unnest(ids, texts) as s (id, folded) where s.folded like all (patterns) limit most);
  if cardinality(found) < most then
    found := found || array(
      select k.id from public.contacts k
      where k.tenant_id = tenant and k.deleted_at is null
        and public.fold(k.first_name || ' ' || k.last_name) collate "C" >= beginning
        and public.fold(k.first_name || ' ' || k.last_name) collate "C" <= behind
      order by public.fold(k.first_name || ' ' || k.last_name) collate "C" limit most
    ) || array(
      select k.id from public.contacts k
      where k.tenant_id = tenant and k.deleted_at is null
        and public.fold(k.last_name || ' ' || k.first_name) collate "C" >= beginning
        and public.fold(k.last_name || ' ' || k.first_name) collate "C" <= behind
      order by public.fold(k.last_name || ' ' || k.first_name) collate "C" limit most
    ) || array(
      select k.id from public.contacts k
      where k.tenant_id = tenant and k.deleted_at is null and k.email is not null
        and public.fold(k.email) collate "C" >= beginning and public.fold(k.email) collate "C" <= behind
      order by public.fold(k.email) collate "C" limit most
    );
  end if;
  if cardinality(found) = 0 then
    return query select f, false from unnest(public.one_typo_patterns_among(ids, texts, words, most)) f;
  end if;
  return query
    select f.id, true from unnest(found) with ordinality as f (id, place) group by f.id order by min(f.place) limit most;
end
$$;
