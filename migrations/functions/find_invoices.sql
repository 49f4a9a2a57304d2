-- Invoices whose number, or order number, ends with a text, in any case and with or without hyphens, slashes, dots and
-- blanks, shorter numbers first. It runs as the owner, as find_phones does, because reverse() is not leakproof.
create or replace function find_invoices(ending text, most bigint) returns table (id bigint)
  language plpgsql stable security definer rows 10
  set search_path = pg_catalog, public, pg_temp
  set plan_cache_mode = force_custom_plan
  set enable_sort = off
  set enable_seqscan = off as $$
declare
  tenant bigint := nullif(current_setting('app.tenant_id', true), '')::bigint;
  prefix text := reverse(lower(translate(ending, ' -/._', '')));
  behind text := prefix || chr(1114111);
begin
  if prefix = '' then return; end if;
  return query
    select i.id from public.invoices i
    where i.tenant_id = tenant
      and reverse(lower(translate(i.number, ' -/._', ''))) collate "C" >= prefix
      and reverse(lower(translate(i.number, ' -/._', ''))) collate "C" <= behind
    order by reverse(lower(translate(i.number, ' -/._', ''))) collate "C" limit most;
  return query
    select i.id from public.invoices i
    where i.tenant_id = tenant and i.wms_order_number is not null
      and reverse(lower(translate(i.wms_order_number, ' -/._', ''))) collate "C" >= prefix
      and reverse(lower(translate(i.wms_order_number, ' -/._', ''))) collate "C" <= behind
    order by reverse(lower(translate(i.wms_order_number, ' -/._', ''))) collate "C" limit most;
  -- An order without a number of its own is known by its id.
  if ending ~ '^[0-9]{1,18}$' then
    return query
      select i.id from public.invoices i where i.tenant_id = tenant and i.wms_order_id = ending::bigint limit most;
  end if;
end
$$;
