-- The tenant's live companies that have a key of one of these (`of_ids`): the number of its fiscal id (tax_number), the
-- digest of its phone, the key of its name, its e-mail domain; null: none. At most `most` for each key, and two more of
-- a number. It runs as the owner, and by the indexes of each key alone, as company_ids_by_tax_number does.
create or replace function companies_with_keys(
  of_ids bigint[], numbers text[], phones text[], name_keys text[], domains text[], most bigint
) returns table (of_id bigint, id bigint, name text, tax_id text, phone text, email text, city text)
  language plpgsql stable security definer
  set search_path = pg_catalog, public, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_sort = off
  set enable_bitmapscan = off
  set enable_seqscan = off as $$
declare
  tenant bigint := nullif(current_setting('app.tenant_id', true), '')::bigint;
begin
  return query
    select sent.of_id, c.id, c.name, c.tax_id, split_part(c.phone, '=', 2), c.email, c.city
    from unnest(of_ids, numbers, phones, name_keys, domains) as sent (of_id, number, phone, name_key, domain)
    cross join lateral (
      (select c.id from unnest(array[sent.number, 'RO' || sent.number]) as spelling (text)
        cross join lateral (
          select c.id, c.tax_id from public.companies c
          where c.tenant_id = tenant and c.deleted_at is null
            and lower(normalize(c.tax_id, NFC)) >= lower(spelling.text)
            and lower(normalize(c.tax_id, NFC)) <= lower(spelling.text)
          order by lower(normalize(c.tax_id, NFC)) limit 1
        ) c
        where c.id <> sent.of_id and not public.is_rare_tax_id(c.tax_id) and public.tax_number(c.tax_id) = sent.number)
      union all
      (select c.id from public.companies c
        where c.tenant_id = tenant and c.deleted_at is null and public.is_rare_tax_id(c.tax_id) and c.id <> sent.of_id
          and public.tax_number(c.tax_id) collate "C" >= sent.number
          and public.tax_number(c.tax_id) collate "C" <= sent.number
        order by public.tax_number(c.tax_id) collate "C" limit most)
      union all
      (select c.id from public.companies c
        where c.tenant_id = tenant and c.deleted_at is null and c.phone is not null and c.id <> sent.of_id
          and split_part(c.phone, '=', 2) collate "C" >= sent.phone
          and split_part(c.phone, '=', 2) collate "C" <= sent.phone
        order by split_part(c.phone, '=', 2) collate "C" limit most)
      union all
      (select k.company_id from public.company_keys k
        where k.tenant_id = tenant and k.name_key >= sent.name_key and k.name_key <= sent.name_key and k.company_id <> sent.of_id
        order by k.name_key, k.company_id limit most)
      union all
      (select k.company_id from public.company_keys k
        where k.tenant_id = tenant and k.domain >= sent.domain and k.domain <= sent.domain and k.company_id <> sent.of_id
        order by k.domain, k.company_id limit most)
    ) other
    cross join lateral (
      select * from public.companies c where c.tenant_id = tenant and c.id = other.id and c.deleted_at is null limit 1
    ) c;
end
$$;
