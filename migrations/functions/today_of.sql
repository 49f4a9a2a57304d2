-- Today in a tenant's time zone. Its body is a text: otherwise it depends on the table, and nodes of Citus lack it.
create or replace function today_of(tenant bigint) returns date language sql stable parallel safe as $$
  select (now() at time zone coalesce((select t.time_zone from public.tenants t where t.id = tenant), 'UTC'))::date
$$;
