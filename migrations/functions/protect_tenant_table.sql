-- The second tenancy wall, the same for each table. The policy compares with current_setting() directly, because Citus
-- rejects a sub-select here. After a transaction a custom setting is '' and not null, hence one nullif. The other one
-- hides the installation's rows, those of tenant 0, from requests. On a distributed database this call distributes the
-- table, so its foreign keys to other tenant tables come after it. The history is made before the users.
create or replace procedure protect_tenant_table(tenant_table regclass) language plpgsql as $$
declare
  is_distributed boolean := false;
begin
  execute format('alter table %s enable row level security', tenant_table);
  execute format(
    'create policy tenant on %s for all to liaison_app
       using (tenant_id = nullif(nullif(current_setting(''app.tenant_id'', true), '''')::bigint, 0))
       with check (tenant_id = nullif(nullif(current_setting(''app.tenant_id'', true), '''')::bigint, 0))', tenant_table);
  execute format('grant select, insert, update, delete on %s to liaison_app', tenant_table);
  call plan_alike_for_tenants(tenant_table);
  if to_regclass('pg_catalog.pg_dist_partition') is not null then
    execute 'select exists (select from pg_dist_partition where logicalrelid = to_regclass(''users'') and partmethod = ''h'')'
    into is_distributed;
  end if;
  if is_distributed then
    execute format('select create_distributed_table(%L, ''tenant_id'', colocate_with => ''users'')', tenant_table);
  end if;
end
$$;
