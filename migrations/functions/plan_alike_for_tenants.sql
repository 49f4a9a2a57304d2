-- Keeps statistics from knowing single tenants (docs/decisions/0040-one-plan-for-every-tenant.md). With statistics of
-- tenant_id the planner expects a row at most for tenants that were small then, and picks any index that begins with
-- tenant_id. Without them it takes each tenant for a two-hundredth of the table.
create or replace procedure plan_alike_for_tenants(tenant_table regclass) language plpgsql as $$
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
