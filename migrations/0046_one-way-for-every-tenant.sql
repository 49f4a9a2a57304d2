-- Up Migration

-- The planner knows nothing of single tenants (docs/decisions/0040-one-plan-for-every-tenant.md). Statistics of tenant_id tell it
-- of the tenants that were large when they were collected, and that any other has a row at most: behind every index that begins
-- with tenant_id, so that it takes any of them. Without them each tenant is taken for a two-hundredth of the table.
create or replace procedure plan_alike_for_tenants(tenant_table regclass)
  language plpgsql
as $$
declare
  setting constant text := 'alter table %s alter column tenant_id set statistics 0';
  method "char";
  failure text;
begin
  if to_regclass('pg_catalog.pg_dist_partition') is not null then
    execute 'select partmethod from pg_dist_partition where logicalrelid = $1' into method using tenant_table;
  end if;
  if method is null then
    execute format(setting, tenant_table);
  else
    -- Citus hands no such setting on, and refuses it for a table that only references one of its own. It is made for the table
    -- that stands for the shards, which takes it along when it is distributed, and for each shard that there is.
    set local citus.enable_ddl_propagation = off;
    execute format(setting, tenant_table);
    set local citus.enable_ddl_propagation = on;
  end if;
  if method = 'h' then
    execute 'select min(result) from run_command_on_shards($1, $2) where not success' into failure using tenant_table, setting;
    if failure is not null then raise '%', failure; end if;
  end if;
  -- What was collected before stays otherwise. PostgreSQL before 18 lets a superuser alone remove it.
  if to_regprocedure('pg_catalog.pg_clear_attribute_stats(text,text,text,boolean)') is not null then
    execute 'select pg_clear_attribute_stats(n.nspname::text, c.relname::text, ''tenant_id'', false)
      from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = $1' using tenant_table;
  elsif (select rolsuper from pg_roles where rolname = current_user) then
    delete from pg_statistic s using pg_attribute a
    where s.starelid = tenant_table and a.attrelid = tenant_table and a.attname = 'tenant_id' and s.staattnum = a.attnum;
  end if;
end
$$;

do $$
declare
  tenant_table regclass;
begin
  for tenant_table in
    select c.oid from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' order by c.oid
  loop
    call plan_alike_for_tenants(tenant_table);
  end loop;
end
$$;

-- On a database that is distributed (docs/scaling.md) a new table is distributed here. Its foreign keys to other tenants'
-- tables come after this call: a table that is not distributed may not reference one that is.
create or replace procedure protect_tenant_table(tenant_table regclass)
  language plpgsql
as $$
declare
  is_distributed boolean := false;
begin
  execute format('alter table %s enable row level security', tenant_table);
  execute format(
    'create policy tenant on %s for all to liaison_app
       using (tenant_id = nullif(current_setting(''app.tenant_id'', true), '''')::bigint)
       with check (tenant_id = nullif(current_setting(''app.tenant_id'', true), '''')::bigint)', tenant_table);
  execute format('grant select, insert, update, delete on %s to liaison_app', tenant_table);
  call plan_alike_for_tenants(tenant_table);
  if to_regclass('pg_catalog.pg_dist_partition') is not null then
    execute 'select exists (select from pg_dist_partition where logicalrelid = ''users''::regclass and partmethod = ''h'')'
    into is_distributed;
  end if;
  if is_distributed then
    execute format('select create_distributed_table(%L, ''tenant_id'', colocate_with => ''users'')', tenant_table);
  end if;
end
$$;

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

-- The user of the transaction's tenant that has an e-mail address. It runs as the owner, and by one index
-- alone, as company_ids_by_tax_id does.
create or replace function user_ids_by_email(address text) returns table (id bigint)
  language plpgsql stable security definer rows 1
  set search_path = pg_catalog, public, pg_temp
  set plan_cache_mode = force_custom_plan
  set enable_sort = off
  set enable_seqscan = off
as $$
declare
  tenant bigint := nullif(current_setting('app.tenant_id', true), '')::bigint;
begin
  return query
    select u.id from public.users u
    where u.tenant_id = tenant and lower(u.email) >= lower(address) and lower(u.email) <= lower(address)
    order by lower(u.email);
end
$$;
revoke all on function user_ids_by_email from public;
grant execute on function user_ids_by_email to liaison_app;

-- Where a table is small, or its statistics are yet to come, all that its indexes promise is a row, and of equals PostgreSQL takes
-- the index that was made last. It is to be the one that finds a company by its id.
drop index companies_live;
create index companies_live on companies (tenant_id, id) include (search_text, status, assigned_to)
  where deleted_at is null;
