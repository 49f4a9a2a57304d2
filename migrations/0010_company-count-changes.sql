-- Up Migration

-- Counters that are updated in place leave a dead version behind at every write, and all of them stay for as long as
-- anybody holds an old snapshot (a dump of an hour): lists read through them. So a change of the counts is appended and
-- never updated, and folded into a new row of sums beside the writes. What is folded is deleted, and is dead likewise;
-- but readers begin behind it.
--
-- Changes are appended to the generation of the newest sums that their writer sees. The sums say which generation is
-- the oldest that anybody may still append to (`oldest`): whoever reads begins there. The counts are
-- the newest sums that a snapshot sees and all changes from there on that it sees; nothing else is needed to be exact,
-- since what is folded is deleted in the transaction that adds it to the sums.
create table company_count_changes (
  -- No reference to tenants: the company that is counted has one.
  tenant_id bigint not null,
  generation bigint not null,
  id bigserial not null,
  -- 4,096 consecutive ids. The blocks let a deep page begin near its first row instead of walking there.
  block bigint not null,
  status text not null,
  n bigint not null,
  primary key (tenant_id, generation, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- A tenant's live companies: `total` in all, `totals` by status, and n of each block and status in three arrays.
create table company_count_sums (
  tenant_id bigint not null references tenants (id),
  generation bigint not null,
  oldest bigint not null default 0,
  -- When every transaction before `closing_xid` is over, nobody appends to a generation below `closing` any more.
  closing bigint not null default 0,
  closing_xid xid8,
  total bigint not null,
  totals jsonb not null,
  blocks bigint[] not null,
  statuses text[] not null,
  counts bigint[] not null,
  primary key (tenant_id, generation)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500,
  toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 5000);

call protect_tenant_table('company_count_changes');
call protect_tenant_table('company_count_sums');
grant usage on all sequences in schema public to liaison_app;

create function append_company_count(tenant bigint, changed_block bigint, changed_status text, difference bigint)
  returns void language plpgsql as $$
declare
  newest bigint;
begin
  select s.generation into newest from public.company_count_sums s
  where s.tenant_id = tenant order by s.generation desc limit 1;
  insert into public.company_count_changes (tenant_id, generation, block, status, n)
  values (tenant, coalesce(newest, 0), changed_block, changed_status, difference);
end
$$;

-- Nobody writes companies while the counters change hands. A migration must not keep requests waiting: it
-- gives way after half a second, and tries again.
do $$
begin
  for attempt in 1..600 loop
    begin
      set local lock_timeout = '500ms';
      lock table companies in share row exclusive mode;
      lock table company_counts in access exclusive mode;
      exit;
    exception when lock_not_available then
      if attempt = 600 then raise; end if;
      perform pg_sleep(0.5);
    end;
  end loop;
end
$$;
set local lock_timeout = default;

insert into company_count_sums (tenant_id, generation, total, totals, blocks, statuses, counts)
select counted.tenant_id, 1, by_status.total, by_status.totals, counted.blocks, counted.statuses, counted.counts
from (
  select tenant_id, array_agg(block order by block, status) as blocks, array_agg(status order by block, status) as statuses,
    array_agg(n order by block, status) as counts
  from (
    select tenant_id, block, status, sum(n)::bigint as n from company_counts
    where block >= 0 group by tenant_id, block, status having sum(n) <> 0
  ) block_count
  group by tenant_id
) counted
join (
  select tenant_id, sum(n)::bigint as total, jsonb_object_agg(status, n) as totals
  from (
    select tenant_id, status, sum(n)::bigint as n from company_counts
    where block = -1 group by tenant_id, status having sum(n) <> 0
  ) status_count
  group by tenant_id
) by_status using (tenant_id);

-- Per statement and not per row: an import of 500 rows appends a handful of changes.
create or replace function count_companies() returns trigger language plpgsql as $$
declare
  change record;
begin
  for change in
    select tenant_id, id / 4096 as block, status, case tg_op when 'INSERT' then count(*) else -count(*) end as n
    from changed where deleted_at is null group by tenant_id, id / 4096, status
  loop
    perform public.append_company_count(change.tenant_id, change.block, change.status, change.n);
  end loop;
  return null;
end
$$;

create or replace function count_updated_company() returns trigger language plpgsql as $$
begin
  if old.deleted_at is null then
    perform public.append_company_count(old.tenant_id, old.id / 4096, old.status, -1);
  end if;
  if new.deleted_at is null then
    perform public.append_company_count(new.tenant_id, new.id / 4096, new.status, 1);
  end if;
  return null;
end
$$;

-- Makes new sums of a tenant's newest ones and the changes since: `insert into company_count_sums (tenant_id)` is all
-- that its caller says. A trigger, because that runs on the server where the tenant's rows are, and the numbers of
-- transactions are each server's own.
create function fold_company_counts() returns trigger language plpgsql as $$
declare
  most constant integer := 10000;
  is_first_write constant boolean := pg_current_xact_id_if_assigned() is null;
  previous public.company_count_sums;
  -- A variable, because behind row-level security coalesce() in a condition keeps it from the index.
  oldest bigint;
  is_closed boolean;
  change record;
  deleted bigint;
begin
  -- Whoever comes second has nothing to do. The primary key would stop it too, but only after a wait.
  if not pg_try_advisory_xact_lock(7261960, hashint8(new.tenant_id)) then return null; end if;
  select * into previous from public.company_count_sums s
  where s.tenant_id = new.tenant_id order by s.generation desc limit 1;
  oldest := coalesce(previous.oldest, 0);

  -- Before the changes are read: what was committed by then is among them. A number that is not yet given out here is
  -- another server's, from which the tenant has moved: what ran there is over. Where such a number is
  -- taken for one of this server's, it is waited for, or found to be over, which it is.
  is_closed := previous.closing_xid < pg_snapshot_xmin(pg_current_snapshot())
    or previous.closing_xid >= pg_snapshot_xmax(pg_current_snapshot());

  select count(*) as n, array_agg(c.id) as ids, array_agg(c.block) as blocks, array_agg(c.status) as statuses,
    array_agg(c.n) as counts into change
  from (
    select * from public.company_count_changes c
    where c.tenant_id = new.tenant_id and c.generation >= oldest
    order by c.generation, c.id limit most
  ) c;
  -- The sums are written whole, so rarely enough that a change costs no more than eight entries of them.
  if change.n < 64 + coalesce(cardinality(previous.blocks), 0) / 8 then return null; end if;

  delete from public.company_count_changes c
  where c.tenant_id = new.tenant_id and c.generation >= oldest and c.id = any(change.ids);
  get diagnostics deleted = row_count;
  if deleted <> change.n then
    raise serialization_failure using message = 'the changes of the company counts are folded by somebody else';
  end if;
  delete from public.company_count_sums s where s.tenant_id = new.tenant_id;

  new.generation := coalesce(previous.generation, 0) + 1;
  new.oldest := oldest;
  new.closing := coalesce(previous.closing, 0);
  new.closing_xid := previous.closing_xid;
  if is_closed and change.n < most then new.oldest := previous.closing; end if;
  -- Who appends to a generation before the previous one did not see the previous sums, which this transaction saw before it
  -- had a number: so theirs are lower, and when all lower ones are over, so are they.
  if (is_closed or previous.closing_xid is null) and change.n < most and is_first_write then
    new.closing := coalesce(previous.generation, 0);
    new.closing_xid := pg_current_xact_id();
  end if;

  select coalesce(array_agg(block order by block, status), '{}'), coalesce(array_agg(status order by block, status), '{}'),
    coalesce(array_agg(n order by block, status), '{}')
  into new.blocks, new.statuses, new.counts
  from (
    select block, status, sum(n)::bigint as n
    from (
      select * from unnest(previous.blocks, previous.statuses, previous.counts) as summed (block, status, n)
      union all
      select * from unnest(change.blocks, change.statuses, change.counts) as changed (block, status, n)
    ) counted
    group by block, status having sum(n) <> 0
  ) block_count;
  select coalesce(sum(n), 0), coalesce(jsonb_object_agg(status, n), '{}') into new.total, new.totals
  from (
    select status, sum(n)::bigint as n from unnest(new.statuses, new.counts) as summed (status, n) group by status
  ) status_count;
  return new;
end
$$;
create trigger fold before insert on company_count_sums
  for each row when (new.generation is null) execute function fold_company_counts();

-- What servers of the release before this one read until they are replaced.
drop table company_counts;
create view company_counts with (security_invoker) as
  with newest as (
    select distinct on (tenant_id) * from company_count_sums order by tenant_id, generation desc
  ), counted as (
    select newest.tenant_id, summed.* from newest, unnest(blocks, statuses, counts) as summed (block, status, n)
    union all
    select c.tenant_id, c.block, c.status, c.n from company_count_changes c
  )
  select tenant_id, block, status, n from counted
  union all
  select tenant_id, -1, status, n from counted;
grant select on company_counts to liaison_app;
