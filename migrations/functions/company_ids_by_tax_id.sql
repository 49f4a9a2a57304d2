-- The live companies of the transaction's tenant that have these tax ids; `ordinal` is the place of the tax id among
-- those sent, from 1. It runs as the owner because lower() is not leakproof: under a row-level-security policy
-- PostgreSQL would read every company of the tenant instead of the unique index. So it filters by the transaction's
-- tenant itself, and takes no tenant from its caller. Planned anew each time: a plan made while the table was small
-- would stay while an import fills it. The one index that has tax ids in their order serves it: whatever else finds a tenant's
-- companies would have to sort them, and may not. A range and not an equality, because what is equal needs no order.
create or replace function company_ids_by_tax_id(tax_ids text[]) returns table (ordinal bigint, id bigint)
  language plpgsql stable security definer
  set search_path = pg_catalog, public, pg_temp
  set plan_cache_mode = force_custom_plan
  set enable_sort = off
  set enable_seqscan = off
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
      where c.tenant_id = tenant and c.deleted_at is null
        and lower(normalize(c.tax_id, NFC)) >= lower(normalize(sent.tax_id, NFC))
        and lower(normalize(c.tax_id, NFC)) <= lower(normalize(sent.tax_id, NFC))
      order by lower(normalize(c.tax_id, NFC))
      offset 0
    ) company;
end
$$;
