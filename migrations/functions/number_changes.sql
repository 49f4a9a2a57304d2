-- Gives a tenant's changes that have no position in its feed yet theirs, so many at a time: `insert into feed_ticks (tenant_id, most)` is all
-- that its caller says. A trigger, because that runs on the server where the tenant's rows are, and snapshots are each server's own
-- (docs/decisions/0061-feed.md).
--
-- Between two ticks lies what the second one's snapshot sees and the first one's does not. Of one resource that is in the order of `at`,
-- which only grows, and a snapshot that sees one of its changes sees those before it.
create or replace function number_changes() returns trigger
  language plpgsql
as $$
declare
  kinds constant text[] := array['company', 'contact', 'address', 'invoice', 'wms_order'];
  moment constant timestamptz := clock_timestamp();
  last public.feed_ticks;
  newest timestamptz;
  now_seen pg_snapshot;
  is_compared boolean;
  fresh refcursor;
  change record;
  reached timestamptz;
begin
  -- The second of two has nothing to do.
  if not pg_try_advisory_xact_lock(7261962, hashint8(new.tenant_id)) then return null; end if;
  select t.* into last from public.feed_ticks t where t.tenant_id = new.tenant_id order by t.tick desc limit 1;
  -- A statement of its own: behind the lock.
  now_seen := pg_current_snapshot();
  select c.system_identifier into new.server from pg_control_system() c;
  new.tick := coalesce(last.tick, 0) + 1;
  new.position := coalesce(last.position, 0);
  new.since := last.since;
  new.seen := now_seen;
  if coalesce(last.since < moment - interval '31 days', true) then
    -- The first tick, or nobody has asked for as long as a feed is kept: it begins anew with 30 days, or with the last change.
    delete from public.feed f where f.tenant_id = new.tenant_id;
    select c.at into newest from public.changes c
    where c.tenant_id = new.tenant_id and c.type = any (kinds) order by c.at desc, c.id desc limit 1;
    new.since := least(moment - interval '30 days', newest);
    -- A position further on, so that no cursor of before goes on.
    if last.tick is not null and newest is not null then new.position := new.position + 1; end if;
    last.server := 0;
  end if;
  new.behind := new.position;

  -- Also where the rows have come from another server (a restore, an upgrade, a shard that moved): its transactions say nothing here.
  is_compared := last.server <> new.server;
  if is_compared then
    open fresh for
      select c.id, c.type, c.at from public.changes c
      where c.tenant_id = new.tenant_id and c.at >= new.since and c.type = any (kinds)
        and not exists (select from public.feed f where f.tenant_id = new.tenant_id and f.change_id = c.id)
      order by c.at, c.id limit new.most;
  else
    open fresh for
      -- Materialized, so that the order is not asked of an index that begins with the tenant's first change.
      with unseen as materialized (
        select c.id, c.type, c.at from public.changes c
        where c.tenant_id = new.tenant_id and c.xid >= pg_snapshot_xmin(last.seen) and c.xid < pg_snapshot_xmax(now_seen)
          and not pg_visible_in_snapshot(c.xid, last.seen) and pg_visible_in_snapshot(c.xid, now_seen)
          -- A row that came from another server may have a number that is given out here only now.
          and c.at >= moment - interval '31 days'
      )
      select c.id, c.type, c.at from unseen c
      where c.type = any (kinds)
        and not exists (select from public.feed f where f.tenant_id = new.tenant_id and f.change_id = c.id)
      order by c.at, c.id limit new.most;
  end if;
  loop
    fetch fresh into change;
    exit when not found;
    reached := change.at;
    new.position := new.position + 1;
    insert into public.feed (tenant_id, position, change_id, type, at, numbered_at)
    values (new.tenant_id, new.position, change.id, change.type, change.at, moment);
  end loop;
  close fresh;

  new.is_complete := new.position - new.behind < new.most;
  -- No transaction takes a day.
  if new.is_complete then
    -- Asking alone writes nothing, or once an hour.
    if new.position = new.behind and not is_compared and new.since > moment - interval '25 hours' then return null; end if;
    new.since := moment - interval '1 day';
  elsif is_compared then
    new.server := 0;
    new.since := greatest(new.since, reached - interval '1 day');
  else
    new.seen := last.seen;
  end if;
  delete from public.feed_ticks t where t.tenant_id = new.tenant_id and t.tick = last.tick;
  return new;
end
$$;
