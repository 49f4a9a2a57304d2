-- The tenant's live companies with these tax ids; `ordinal` is the position of the tax id, from 1. It runs as the owner
-- because lower() is not leakproof: under row-level security PostgreSQL would read every company instead of the unique
-- index. So it filters by the transaction's tenant itself, and has no parameter for it. It plans each time, because a
-- plan from when the table was small would remain while an import fills it. Only the unique index has tax ids in order;
-- any other plan would have to sort, which is off. A range, because an equality needs no order.
create or replace function company_ids_by_tax_id(tax_ids text[]) returns table (ordinal bigint, id bigint)
  language plpgsql stable security definer
  set search_path = pg_catalog, public, pg_temp
  set plan_cache_mode = force_custom_plan
  set enable_sort = off
  set enable_seqscan = off as $$
declare
  tenant bigint := nullif(current_setting('app.tenant_id', true), '')::bigint;
begin
  return query
    select sent.ordinal, company.id
    from unnest(tax_ids) with ordinality as sent (tax_id, ordinal)
    -- "offset 0" makes PostgreSQL look up each tax id separately.
    cross join lateral (
      select c.id from public.companies c
      where c.tenant_id = tenant and c.deleted_at is null
        and lower(normalize(c.tax_id, NFC)) >= lower(normalize(sent.tax_id, NFC))
        and lower(normalize(c.tax_id, NFC)) <= lower(normalize(sent.tax_id, NFC))
      order by lower(normalize(c.tax_id, NFC))
      offset 0
    ) company;
end
$$;
