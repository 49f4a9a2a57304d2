-- Up Migration

-- Phones by the digests behind their ciphertexts, which are in no other place: `<key id>:<ciphertext>=<digests>`.
create index companies_by_phone on companies (tenant_id, (split_part(phone, '=', 2) collate "C"))
  where deleted_at is null and phone is not null;
create index contacts_by_phone on contacts (tenant_id, (split_part(phone, '=', 2) collate "C"))
  where deleted_at is null and phone is not null;
create index contacts_by_mobile on contacts (tenant_id, (split_part(mobile, '=', 2) collate "C"))
  where deleted_at is null and mobile is not null;
create index addresses_by_phone on addresses (tenant_id, (split_part(phone, '=', 2) collate "C"))
  where deleted_at is null and phone is not null;

-- Invoices by the end of their numbers, which people remember.
create index invoices_by_number_ending on invoices (tenant_id, (reverse(lower(number)) collate "C"));
create index invoices_by_order_ending on invoices (tenant_id, (reverse(lower(wms_order_number)) collate "C"))
  where wms_order_number is not null;

-- Whose phones have digests that begin so (docs/decisions/0052-finding-anything.md): companies, contacts and addresses, `most` of
-- each column. It runs as the owner because split_part() is not leakproof: under a row-level-security policy PostgreSQL would
-- read every row of the tenant. So it filters by the transaction's tenant itself, and takes no tenant from its caller. The one
-- index that has the digests in their order serves each statement: whatever else finds a tenant's rows would have to sort them, and may not.
create or replace function find_phones(prefixes text[], most bigint) returns table (place text, id bigint)
  language plpgsql stable security definer rows 10
  set search_path = pg_catalog, public, pg_temp
  set plan_cache_mode = force_custom_plan
  set enable_sort = off
  set enable_seqscan = off
as $$
declare
  tenant bigint := nullif(current_setting('app.tenant_id', true), '')::bigint;
  prefix text;
begin
  foreach prefix in array prefixes loop
    return query
      select 'companies', c.id from public.companies c
      where c.tenant_id = tenant and c.deleted_at is null and c.phone is not null
        and split_part(c.phone, '=', 2) collate "C" >= prefix and split_part(c.phone, '=', 2) collate "C" <= prefix || '~'
      order by split_part(c.phone, '=', 2) collate "C" limit most;
    return query
      select 'contacts', c.id from public.contacts c
      where c.tenant_id = tenant and c.deleted_at is null and c.phone is not null
        and split_part(c.phone, '=', 2) collate "C" >= prefix and split_part(c.phone, '=', 2) collate "C" <= prefix || '~'
      order by split_part(c.phone, '=', 2) collate "C" limit most;
    return query
      select 'contacts', c.id from public.contacts c
      where c.tenant_id = tenant and c.deleted_at is null and c.mobile is not null
        and split_part(c.mobile, '=', 2) collate "C" >= prefix and split_part(c.mobile, '=', 2) collate "C" <= prefix || '~'
      order by split_part(c.mobile, '=', 2) collate "C" limit most;
    return query
      select 'addresses', a.id from public.addresses a
      where a.tenant_id = tenant and a.deleted_at is null and a.phone is not null
        and split_part(a.phone, '=', 2) collate "C" >= prefix and split_part(a.phone, '=', 2) collate "C" <= prefix || '~'
      order by split_part(a.phone, '=', 2) collate "C" limit most;
  end loop;
end
$$;

-- The invoices whose number, or whose order's, ends so, without regard to case: shorter numbers first. As find_phones, because
-- reverse() is not leakproof.
create or replace function find_invoices(ending text, most bigint) returns table (id bigint)
  language plpgsql stable security definer rows 10
  set search_path = pg_catalog, public, pg_temp
  set plan_cache_mode = force_custom_plan
  set enable_sort = off
  set enable_seqscan = off
as $$
declare
  tenant bigint := nullif(current_setting('app.tenant_id', true), '')::bigint;
  prefix text := reverse(lower(ending));
  behind text := prefix || chr(1114111);
begin
  return query
    select i.id from public.invoices i
    where i.tenant_id = tenant
      and reverse(lower(i.number)) collate "C" >= prefix and reverse(lower(i.number)) collate "C" <= behind
    order by reverse(lower(i.number)) collate "C" limit most;
  return query
    select i.id from public.invoices i
    where i.tenant_id = tenant and i.wms_order_number is not null
      and reverse(lower(i.wms_order_number)) collate "C" >= prefix and reverse(lower(i.wms_order_number)) collate "C" <= behind
    order by reverse(lower(i.wms_order_number)) collate "C" limit most;
  -- An order without a number of its own is called by its id.
  if ending ~ '^[0-9]{1,18}$' then
    return query
      select i.id from public.invoices i where i.tenant_id = tenant and i.wms_order_id = ending::bigint limit most;
  end if;
end
$$;

-- The companies that a person means by some words (docs/decisions/0052-finding-anything.md), `most` at most: those whose name begins with
-- the text; then those that have every word, in any order, each as a part of a word; and where there is none, those that have
-- them but for one letter. Nothing is counted, and each step reads a bounded part of the tenant. As search_companies it runs
-- as the owner, filters by the transaction's tenant itself, and takes no tenant from its caller.
create or replace function find_companies(typed text, most integer) returns table (id bigint)
  language plpgsql stable security definer rows 10
  set search_path = pg_catalog, public, pg_temp
  set plan_cache_mode = force_custom_plan
  set enable_bitmapscan = off
  set enable_seqscan = off
as $$
declare
  -- Companies that are walked before the trigram index is asked: where one in a thousand matches, these have five.
  walked constant integer := 5000;
  tenant bigint := nullif(current_setting('app.tenant_id', true), '')::bigint;
  beginning text := nullif(public.fold(typed), '');
  words text[] := array(select w from unnest(regexp_split_to_array(public.fold(typed), '\s+')) w where w <> '' limit 5);
  patterns text[] := array(select public.search_pattern(w) from unnest(words) w);
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
    select count(*), coalesce(array_agg(sample.id) filter (where sample.search_text like all (patterns)), '{}')
    into sampled, more
    from (
      select c.id, c.search_text from public.companies c
      where c.tenant_id = tenant and c.deleted_at is null order by c.id limit walked
    ) sample;
    if sampled = walked and cardinality(more) < most then
      more := more || public.find_companies_by_trigram(tenant, patterns, most);
    end if;
    found := found || array(select distinct m from unnest(more) m where m <> all (found) limit most);
  end if;
  if cardinality(found) = 0 then
    found := public.find_companies_but_for_a_letter(tenant, words, most, sampled = walked);
  end if;
  return query select unnest(found[1:most]);
end
$$;

-- For find_companies: the first that have all of the patterns, by those of them that have a trigram; none where none has one.
-- The settings leave no other way than the trigram index.
create or replace function find_companies_by_trigram(tenant bigint, patterns text[], most integer) returns bigint[]
  language plpgsql stable
  set search_path = pg_catalog, public, pg_temp
  set enable_seqscan = off
  set enable_indexscan = off
  set enable_indexonlyscan = off
as $$
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

-- The patterns of a folded word with one letter wrong: another one, one too many, one missing, or two that changed places. Null, which
-- nothing is like, of a word of fewer than four letters, or more than twenty, or with digits, which means what it says.
create or replace function but_for_a_letter(word text) returns text[]
  language sql immutable strict parallel safe
  return case when word ~ '^[^0-9%_\\]{4,20}$' then array(
    select '%' || variant || '%' from generate_series(1, length(word)) i, unnest(array[
      left(word, i - 1) || '_' || substr(word, i + 1),
      left(word, i - 1) || substr(word, i + 1),
      case when i > 1 then left(word, i - 1) || '_' || substr(word, i) end,
      left(word, i - 1) || substr(word, i + 1, 1) || substr(word, i, 1) || substr(word, i + 2)
    ]) variant where variant is not null
  ) end;

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

revoke all on function find_phones, find_invoices, find_companies, find_companies_by_trigram, find_companies_but_for_a_letter from public;
grant execute on function find_phones, find_invoices, find_companies to liaison_app;

-- Phones that are there already get their digests beside the work of the day, a tenant at a time.
do $$
declare
  tenant record;
begin
  for tenant in select id from tenants order by id loop
    insert into jobs (tenant_id, kind, subject, lane) values (tenant.id, 'digest-phones', 0, 'encryption');
  end loop;
end
$$;
