-- Gives a tenant's changes their positions in its feed, at most `most` at a time: `insert into feed_ticks (tenant_id,
-- most)`. A trigger, because it runs on the server with the tenant's rows, and snapshots are each server's own
-- (docs/decisions/0061-feed.md).
--
-- All changes that the last tick's snapshot saw have positions, up to where that tick ended. What remains are the
-- changes after that end, and those that the snapshot did not see. Changes of one resource are in the order of `at`,
-- and a snapshot that sees one of them sees the earlier ones.
create or replace function number_changes() returns trigger language plpgsql
  -- Waiting changes are read in index order: otherwise a table whose statistics show few rows would be sorted for each
  -- tick.
  set enable_sort = off as $$
declare
  kinds constant text[] := array['company', 'contact', 'address', 'invoice', 'payment', 'custom_field', 'wms_order', 'hidden_contact', 'hidden_address'];
  moment constant timestamptz := clock_timestamp();
  last public.feed_ticks;
  newest timestamptz;
  came_to_at timestamptz := 'infinity';
  came_to_id bigint := 0;
  fresh refcursor;
  change record;
  reached timestamptz;
begin
  -- A second tick has nothing to do.
  if not pg_try_advisory_xact_lock(7261962, hashint8(new.tenant_id)) then return null; end if;
  select t.* into last from public.feed_ticks t where t.tenant_id = new.tenant_id order by t.tick desc limit 1;
  -- A separate statement, so that its snapshot is later than the lock.
  new.seen := pg_current_snapshot();
  select c.system_identifier into new.server from pg_control_system() c;
  new.tick := coalesce(last.tick, 0) + 1;
  new.position := coalesce(last.position, 0);
  new.since := last.since;
  if coalesce(last.since < moment - interval '31 days', true) then
    -- The first tick, or the feed was not read for as long as it is stored: it begins again with 30 days, or with the
    -- last change.
    delete from public.feed f where f.tenant_id = new.tenant_id;
    select c.at into newest from public.changes c
    where c.tenant_id = new.tenant_id and c.type = any (kinds) order by c.at desc, c.id desc limit 1;
    new.since := least(moment - interval '30 days', newest);
    -- Skips a position, so that no earlier cursor continues.
    if last.tick is not null and newest is not null then new.position := new.position + 1; end if;
    last.server := 0;
  end if;
  new.behind := new.position;

  if last.server <> new.server then
    -- The rows have come from another server (a restore, an upgrade, a moved shard): its transaction numbers have no
    -- meaning here.
    came_to_at := new.since;
    last.seen := new.seen;
  elsif not last.is_complete then
    select f.at, f.change_id into came_to_at, came_to_id from public.feed f
    where f.tenant_id = new.tenant_id and f.position = last.position;
    if not found then came_to_at := new.since; came_to_id := 0; end if;
  end if;

  open fresh for
    -- Materialized, so that PostgreSQL does not use for the order an index that begins with the tenant's first change.
    with unseen as materialized (
      select c.id, c.type, c.at from public.changes c
      where c.tenant_id = new.tenant_id
        and c.xid >= pg_snapshot_xmin(last.seen) and c.xid < pg_snapshot_xmax(pg_current_snapshot())
        and not pg_visible_in_snapshot(c.xid, last.seen)
        -- A row from another server may have a number that is assigned here only now.
        and c.at >= moment - interval '31 days'
    ), behind as materialized (
      select c.id, c.type, c.at from public.changes c
      where c.tenant_id = new.tenant_id and (c.at, c.id) > (came_to_at, came_to_id) and c.type = any (kinds)
        and not exists (select from public.feed f where f.tenant_id = new.tenant_id and f.change_id = c.id)
      order by c.at, c.id limit new.most
    )
    select c.id, c.type, c.at from unseen c
    where (c.at, c.id) <= (came_to_at, came_to_id) and c.type = any (kinds)
      and not exists (select from public.feed f where f.tenant_id = new.tenant_id and f.change_id = c.id)
    union all
    select b.id, b.type, b.at from behind b
    order by at, id limit new.most;
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
  -- Reading the feed alone writes nothing, or once an hour.
  if new.position = new.behind and last.is_complete and last.server = new.server and new.since > moment - interval '25 hours' then
    return null;
  end if;
  -- No transaction lasts a day.
  new.since := moment - interval '1 day';
  if not new.is_complete then new.since := least(new.since, reached); end if;
  delete from public.feed_ticks t where t.tenant_id = new.tenant_id and t.tick = last.tick;
  return new;
end
$$;
