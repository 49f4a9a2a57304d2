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

create function add_company_counts(tenants bigint[], ids bigint[], statuses text[], delta bigint) returns void
  language sql volatile
  set search_path = pg_catalog, public, pg_temp
as $$
  insert into public.company_counts as c (tenant_id, block, status, slot, n)
  select added.tenant_id, place.block, added.status, pg_backend_pid() % 32, delta * count(*)
  from unnest(tenants, ids, statuses) added (tenant_id, id, status)
  cross join lateral (values (-1::bigint), (added.id / 4096)) place (block)
  group by added.tenant_id, place.block, added.status
  -- In one order, so that two bulk writers cannot deadlock.
  order by added.tenant_id, place.block, added.status
  on conflict (tenant_id, block, status, slot) do update set n = c.n + excluded.n
$$;

-- Per statement and not per row: an import of 500 rows adds to a handful of counters.
create function count_inserted_companies() returns trigger language plpgsql as $$
begin
  perform public.add_company_counts(array_agg(tenant_id), array_agg(id), array_agg(status), 1)
  from inserted where deleted_at is null having count(*) > 0;
  return null;
end
$$;
create trigger count_inserted after insert on companies
  referencing new table as inserted
  for each statement execute function count_inserted_companies();

create function count_removed_companies() returns trigger language plpgsql as $$
begin
  perform public.add_company_counts(array_agg(tenant_id), array_agg(id), array_agg(status), -1)
  from removed where deleted_at is null having count(*) > 0;
  return null;
end
$$;
create trigger count_removed after delete on companies
  referencing old table as removed
  for each statement execute function count_removed_companies();

-- Most updates change neither column: the condition costs them nothing.
create function count_updated_company() returns trigger language plpgsql as $$
begin
  if old.deleted_at is null then
    perform public.add_company_counts(array[old.tenant_id], array[old.id], array[old.status], -1);
  end if;
  if new.deleted_at is null then
    perform public.add_company_counts(array[new.tenant_id], array[new.id], array[new.status], 1);
  end if;
  return null;
end
$$;
create trigger count_updated after update of status, deleted_at on companies
  for each row when (old.status <> new.status or old.deleted_at is distinct from new.deleted_at)
  execute function count_updated_company();

select add_company_counts(array_agg(tenant_id), array_agg(id), array_agg(status), 1)
from companies where deleted_at is null having count(*) > 0;
