-- Today in a tenant's time zone.
create or replace function today_of(tenant bigint) returns date language sql stable parallel safe
  return (now() at time zone coalesce((select t.time_zone from public.tenants t where t.id = tenant), 'UTC'))::date;
