-- The tenant's live companies whose fiscal ids have these numbers (tax_number), whatever their prefixes; `ordinal` is
-- the position of the fiscal id, from 1. It runs as the owner, and by two indexes alone, as company_ids_by_tax_id does:
-- that of texts, for those that are not rare (is_rare_tax_id), and that of the others' numbers. One plan serves all
-- calls: no other has the order of the indexes, and planning took three quarters of the time. companies_with_keys has
-- the same two queries: on a cluster a function of SQL may not read tables for another.
create or replace function company_ids_by_tax_number(tax_ids text[])
  returns table (ordinal bigint, id bigint, tax_id text)
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
    select sent.ordinal, company.id, company.tax_id
    from unnest(tax_ids) with ordinality as sent (tax_id, ordinal)
    cross join lateral (select public.tax_number(sent.tax_id) as number offset 0) wanted
    cross join lateral (
      (select c.id, c.tax_id from unnest(array[wanted.number, 'RO' || wanted.number]) as spelling (text)
        cross join lateral (
          select c.id, c.tax_id from public.companies c
          where c.tenant_id = tenant and c.deleted_at is null
            and lower(normalize(c.tax_id, NFC)) >= lower(spelling.text)
            and lower(normalize(c.tax_id, NFC)) <= lower(spelling.text)
          order by lower(normalize(c.tax_id, NFC)) limit 1
        ) c
        where not public.is_rare_tax_id(c.tax_id) and public.tax_number(c.tax_id) = wanted.number)
      union all
      (select c.id, c.tax_id from public.companies c
        where c.tenant_id = tenant and c.deleted_at is null and public.is_rare_tax_id(c.tax_id)
          and public.tax_number(c.tax_id) collate "C" >= wanted.number
          and public.tax_number(c.tax_id) collate "C" <= wanted.number
        order by public.tax_number(c.tax_id) collate "C"
        limit 30)
    ) company;
end
$$;
