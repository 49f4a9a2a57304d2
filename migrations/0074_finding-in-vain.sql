-- Up Migration

-- Search compares Greek words with either form of the letter sigma: the one that ends a word is another letter to lower(). Most
-- texts are composed already, which is quick to see; to compose them all the same takes twice as long as all the rest. In
-- PL/pgSQL, because SQL's function, which cannot be inlined, is started anew for each row. A text without accents, as most are,
-- has as many bytes as characters, and needs none of it.
create or replace function fold(value text) returns text
  language plpgsql immutable strict parallel safe
as $$
begin
  if octet_length(value) = length(value) then return lower(value); end if;
  return replace(lower(public.unaccent('public.unaccent'::regdictionary,
    case when value is nfc normalized then value else normalize(value, NFC) end)), 'ς', 'σ');
end
$$;

-- Of some texts, by their ids: those that have all words but for one letter of one of them, `most` at most. A wrong letter leaves one half
-- of its word as it is, so only texts with a half and with the other words are compared with everything that may be meant: 1,000 for each word.
create or replace function but_for_a_letter_among(ids bigint[], texts text[], words text[], most integer) returns bigint[]
  language plpgsql immutable
  set search_path = pg_catalog, public, pg_temp
as $$
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
    meant := public.but_for_a_letter(words[place]);
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

-- For find_companies: those that have all words but for one letter of one of them. The tenant's first 5,000 are looked through; and of
-- a large tenant, where none of these is meant, of each word up to 1,000 that have one half of it, which a wrong letter leaves as it is,
-- and the other words, by the trigram index: of a half that is frequent it would find too many.
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
  found := public.but_for_a_letter_among(ids, texts, words, most);
  if is_large and cardinality(found) = 0 then
    for place in 1..cardinality(words) loop
      word := words[place];
      meant := public.but_for_a_letter(word);
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

-- Find looked through the newest contacts three times in vain, and for the people of companies that it did not want.
-- The contacts that a person means by some words, of whatever company, `most` at most: of the newest 2,000 those that have every word as a part
-- of a word; then those of all whose name or e-mail begins with the text, whichever of the two names is written first; and where there
-- is none, of the newest those that have the words but for one letter. An index for parts of names would be paid for by every import.
-- Nothing is counted, and each step reads a bounded part of the tenant. As search_companies it runs as the owner, filters by the
-- transaction's tenant itself, and takes no tenant from its caller.
create or replace function find_contacts(typed text, most integer) returns table (id bigint, is_exact boolean)
  language plpgsql stable security definer rows 10
  set search_path = pg_catalog, public, pg_temp
  set plan_cache_mode = force_custom_plan
  set enable_bitmapscan = off
  set enable_seqscan = off
as $$
declare
  newest constant integer := 2000;
  tenant bigint := nullif(current_setting('app.tenant_id', true), '')::bigint;
  beginning text := nullif(public.fold(typed), '');
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
    return query select f, false from unnest(public.but_for_a_letter_among(ids, texts, words, most)) f;
  end if;
  return query
    select f.id, true from unnest(found) with ordinality as f (id, place) group by f.id order by min(f.place) limit most;
end
$$;

-- The contacts that a person means by some words, of whatever company, `most` at most: those that find_contacts knows by every letter, and the
-- people of the companies that the text means. As search_companies it runs as the owner, filters by the transaction's tenant itself,
-- and takes no tenant from its caller.
create or replace function search_contacts(typed text, most integer) returns table (id bigint)
  language plpgsql stable security definer rows 100
  set search_path = pg_catalog, public, pg_temp
  set plan_cache_mode = force_custom_plan
  set enable_bitmapscan = off
  set enable_seqscan = off
as $$
declare
  companies constant integer := 20;
  tenant bigint := nullif(current_setting('app.tenant_id', true), '')::bigint;
  company bigint;
  found bigint[];
begin
  found := array(select k.id from public.find_contacts(typed, most) k where k.is_exact);
  for company in select c.id from public.find_companies(typed, companies) c loop
    found := found || array(
      select k.id from public.contacts k
      where k.tenant_id = tenant and k.company_id = company and k.deleted_at is null order by k.id limit most
    );
  end loop;
  return query select distinct f from unnest(found) f limit most;
end
$$;

revoke all on function but_for_a_letter_among, find_contacts from public;
grant execute on function find_contacts to liaison_app;

-- Since when rows stand as they do: those from before the history of the workspace, and new ones, since they were made.
update users set updated_at = created_at where updated_at is null;
update invitations set updated_at = created_at where updated_at is null;
update api_keys set updated_at = created_at where updated_at is null;
alter table users alter column updated_at set default now();
alter table invitations alter column updated_at set default now();
alter table api_keys alter column updated_at set default now();
alter table users alter column updated_at set not null;
alter table invitations alter column updated_at set not null;
alter table api_keys alter column updated_at set not null;
