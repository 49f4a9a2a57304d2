-- Records which lanes have runnable jobs and from when, and wakes the workers if one is due. On Citus workers poll: a
-- node accepts no notification in a transaction that commits in two phases.
create or replace function notify_lanes() returns trigger language plpgsql as $$
declare
  woken record;
begin
  for woken in
    select c.tenant_id, c.lane, min(c.run_at) as run_at from changed c
    where c.state = 'waiting' group by c.tenant_id, c.lane
  loop
    insert into public.lane_news (tenant_id, lane, ready_at) values (woken.tenant_id, woken.lane, woken.run_at);
    if woken.run_at <= now() and to_regclass('pg_catalog.pg_dist_partition') is null then
      perform pg_notify('liaison_jobs', '');
    end if;
  end loop;
  return null;
end
$$;
