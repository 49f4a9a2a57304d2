-- Up Migration

-- Search compares Greek words with either form of the letter sigma: the one that ends a word is another letter to lower().
create or replace function fold(value text) returns text
  language sql immutable strict parallel safe
  return replace(lower(public.unaccent('public.unaccent'::regdictionary, normalize(value, NFC))), 'ς', 'σ');

-- Null, which nothing is like, for a text of which folding leaves nothing (accents without a letter): its pattern would
-- match everything.
create or replace function search_pattern(value text) returns text
  language sql immutable strict parallel safe
  return '%' || replace(replace(replace(nullif(public.fold(value), ''), '\', '\\'), '%', '\%'), '_', '\_') || '%';

-- What was folded the old way, where that makes a difference.
update companies set name = name where search_text like '%ς%';
do $$
begin
  if exists (select from contacts where lower(first_name) like '%ς%') then
    reindex index contacts_of_company;
  end if;
end
$$;

-- A tax id is the same in whichever way its accents are composed.
do $$
declare
  twice record;
begin
  select tenant_id, array_agg(id order by id) as ids into twice
  from companies where deleted_at is null and tax_id is not null
  group by tenant_id, lower(normalize(tax_id, NFC)) having count(*) > 1 limit 1;
  if found then
    raise unique_violation using message = format(
      'the companies %s of the tenant %s have one tax id in two Unicode forms: with the release that ran before, change it in all but one of them',
      array_to_string(twice.ids, ', '), twice.tenant_id);
  end if;
end
$$;
drop index companies_tax_id;
create unique index companies_tax_id on companies (tenant_id, lower(normalize(tax_id, NFC))) where deleted_at is null;

create or replace function company_ids_by_tax_id(tax_ids text[]) returns table (ordinal bigint, id bigint)
  language plpgsql stable security definer
  set search_path = pg_catalog, public, pg_temp
  set plan_cache_mode = force_custom_plan
as $$
declare
  tenant bigint := nullif(current_setting('app.tenant_id', true), '')::bigint;
begin
  return query
    select sent.ordinal, company.id
    from unnest(tax_ids) with ordinality as sent (tax_id, ordinal)
    -- "offset 0" keeps this a look-up per tax id (0006).
    cross join lateral (
      select c.id from public.companies c
      where c.tenant_id = tenant and lower(normalize(c.tax_id, NFC)) = lower(normalize(sent.tax_id, NFC))
        and c.deleted_at is null
      offset 0
    ) company;
end
$$;
