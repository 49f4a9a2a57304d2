-- Prevents statistics about single tenants (docs/decisions/0040-one-plan-for-every-tenant.md). With statistics of
-- tenant_id the planner expects at most one row for tenants that were small then, and uses any index that begins with
-- tenant_id. Without them it estimates each tenant at a two-hundredth of the table.
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
    -- Citus does not propagate this setting, and rejects it for a table that only references one of its own. So it is
    -- set on the table that represents the shards, which passes it on when it is distributed, and on each existing
    -- shard.
    set local citus.enable_ddl_propagation = off;
    execute format(setting, tenant_table);
    set local citus.enable_ddl_propagation = on;
  end if;
  if method = 'h' then
    execute 'select min(result) from run_command_on_shards($1, $2) where not success' into failure using tenant_table, setting;
    if failure is not null then raise '%', failure; end if;
  end if;
  -- Statistics collected earlier would otherwise remain. Before PostgreSQL 18 only a superuser may remove them.
  if to_regprocedure('pg_catalog.pg_clear_attribute_stats(text,text,text,boolean)') is not null then
    execute 'select pg_clear_attribute_stats(n.nspname::text, c.relname::text, ''tenant_id'', false)
      from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = $1' using tenant_table;
  elsif (select rolsuper from pg_roles where rolname = current_user) then
    delete from pg_statistic s using pg_attribute a
    where s.starelid = tenant_table and a.attrelid = tenant_table and a.attname = 'tenant_id' and s.staattnum = a.attnum;
  end if;
end
$$;
