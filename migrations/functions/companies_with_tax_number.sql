-- The tenant's live companies whose fiscal ids have this number (tax_number), whatever their prefixes, by two indexes
-- alone: that of texts, for those that are not rare (is_rare_tax_id), and that of the numbers of the others, of which
-- it returns at most `most`. Its callers run as the owner without sorts and scans; it becomes a part of their queries.
create or replace function companies_with_tax_number(tenant bigint, number text, most bigint)
  returns table (id bigint, tax_id text) language sql stable as $$
  (select c.id, c.tax_id from unnest(array[number, 'RO' || number]) as spelling (text)
    cross join lateral (
      select c.id, c.tax_id from public.companies c
      where c.tenant_id = tenant and c.deleted_at is null
        and lower(normalize(c.tax_id, NFC)) >= lower(spelling.text)
        and lower(normalize(c.tax_id, NFC)) <= lower(spelling.text)
      order by lower(normalize(c.tax_id, NFC)) limit 1
    ) c
    where not public.is_rare_tax_id(c.tax_id) and public.tax_number(c.tax_id) = number)
  union all
  (select c.id, c.tax_id from public.companies c
    where c.tenant_id = tenant and c.deleted_at is null and public.is_rare_tax_id(c.tax_id)
      and public.tax_number(c.tax_id) collate "C" >= number and public.tax_number(c.tax_id) collate "C" <= number
    order by public.tax_number(c.tax_id) collate "C" limit most)
$$;
