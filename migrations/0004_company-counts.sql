-- Up Migration

-- How many live companies a tenant has, kept exactly by the database, because counting them is many times the cost of
-- the page that the count stands beside. A row counts one status in one block of 4,096 consecutive ids; block -1 holds
-- the whole tenant's. The blocks let a deep page begin near its first row instead of walking there.
-- The slot keeps writers apart: each backend adds to its own row, so that no create waits for another's commit. A
-- slot's count may be negative (created through one slot, deleted through another); only sums mean something.
create table company_counts (
  tenant_id bigint not null references tenants (id),
  block bigint not null,
  status text not null,
  slot smallint not null,
  n bigint not null,
  primary key (tenant_id, block, status, slot)
) with (fillfactor = 25, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
call protect_tenant_table('company_counts');

-- Per statement and not per row: an import of 500 rows adds to a handful of counters. In one order, so that two bulk
-- writers cannot deadlock.
create function count_companies() returns trigger language plpgsql as $$
begin
  insert into public.company_counts as c (tenant_id, block, status, slot, n)
  select changed.tenant_id, place.block, changed.status, pg_backend_pid() % 32,
    case tg_op when 'INSERT' then count(*) else -count(*) end
  from changed cross join lateral (values (-1::bigint), (changed.id / 4096)) place (block)
  where changed.deleted_at is null
  group by changed.tenant_id, place.block, changed.status
  order by changed.tenant_id, place.block, changed.status
  on conflict (tenant_id, block, status, slot) do update set n = c.n + excluded.n;
  return null;
end
$$;
create trigger count_inserted after insert on companies
  referencing new table as changed for each statement execute function count_companies();
create trigger count_removed after delete on companies
  referencing old table as changed for each statement execute function count_companies();

-- Most updates change neither column: the condition costs them nothing.
create function count_updated_company() returns trigger language plpgsql as $$
begin
  insert into public.company_counts as c (tenant_id, block, status, slot, n)
  select new.tenant_id, place.block, change.status, pg_backend_pid() % 32, sum(change.delta)
  from (values (old.status, -1, old.deleted_at), (new.status, 1, new.deleted_at)) change (status, delta, deleted_at)
  cross join lateral (values (-1::bigint), (new.id / 4096)) place (block)
  where change.deleted_at is null
  group by place.block, change.status
  order by place.block, change.status
  on conflict (tenant_id, block, status, slot) do update set n = c.n + excluded.n;
  return null;
end
$$;
create trigger count_updated after update of status, deleted_at on companies
  for each row when (old.status <> new.status or old.deleted_at is distinct from new.deleted_at)
  execute function count_updated_company();
