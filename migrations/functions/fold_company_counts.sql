-- Makes new sums from a tenant's newest sums and the changes since, by `insert into company_count_sums (tenant_id)`. A
-- trigger, because it runs on the server with the tenant's rows, and each server has its own transaction numbers.
create or replace function fold_company_counts() returns trigger language plpgsql as $$
declare
  most constant integer := 10000;
  is_first_write constant boolean := pg_current_xact_id_if_assigned() is null;
  previous public.company_count_sums;
  -- A variable, because under row-level security coalesce() in a condition prevents use of the index.
  oldest bigint;
  is_closed boolean;
  change record;
  deleted bigint;
begin
  -- A second fold has nothing to do. The primary key would stop it too, but only after a wait.
  if not pg_try_advisory_xact_lock(7261960, hashint8(new.tenant_id)) then return null; end if;
  select * into previous from public.company_count_sums s
  where s.tenant_id = new.tenant_id order by s.generation desc limit 1;
  oldest := coalesce(previous.oldest, 0);

  -- Before the changes are read, so that all changes committed by then are included. A number that this server has not
  -- assigned yet comes from another server, from which the tenant has moved: transactions there are over. If such a
  -- number looks like one of this server's, the fold waits for it, or finds it over, which is correct.
  is_closed := previous.closing_xid < pg_snapshot_xmin(pg_current_snapshot())
    or previous.closing_xid >= pg_snapshot_xmax(pg_current_snapshot());

  select count(*) as n, array_agg(c.id) as ids, array_agg(c.block) as blocks, array_agg(c.status) as statuses,
    array_agg(c.n) as counts into change
  from (
    select * from public.company_count_changes c
    where c.tenant_id = new.tenant_id and c.generation >= oldest
    order by c.generation, c.id limit most
  ) c;
  -- Each fold writes all sums. So it waits until a change costs no more than eight entries of them.
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
  -- A transaction that appends to a generation before the previous one did not see the previous sums. This transaction
  -- saw them before it had a number, so the other's number is lower. Once all lower numbers are over, so is that
  -- transaction.
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
