-- Up Migration

-- As in 0043, but a claim does not walk through lanes in which only other workers' kinds wait: a hundred lanes of webhooks whose calls are
-- held kept a tenant's imports from being claimed. And leases begin anew tenant by tenant: those of hundreds of webhooks that wait for
-- a silent receiver took tens of milliseconds, in which nobody else could claim.
-- The one door through which a worker looks across tenants: it returns ids and numbers, and nothing that is a tenant's.
-- Claims come one after the other, so that none overshoots a limit and tenants are served in turns.
--
-- `wanted` jobs at most, and so many that `claimer` holds no more than `wanted_each` of a tenant's; of these kinds, each with
-- the number that may run at once in a lane of one name, whichever tenants' they are. `kept` are the claimer's
-- jobs whose leases begin anew.
create or replace function claim_jobs(
  claimer text, wanted integer, wanted_each integer, lease interval, kinds text[], limits integer[], kept bigint[]
) returns table (
  tenant_id bigint, id bigint, kind text, subject bigint, attempt bigint, tries integer, has_died boolean
)
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
as $$
declare
  failures_to_close constant integer := 5;
  closed_for constant interval := '30 seconds';
  news_at_once constant integer := 5000;
  most constant integer := (select max(l) from unnest(limits) l);
  -- The jobs of suspended tenants wait until they are resumed.
  suspended constant bigint[] := (select coalesce(array_agg(t.id), '{}') from public.tenants t where t.suspended_at is not null);
  moment timestamptz;
  served timestamptz;
  job record;
  unended bigint[];
  news record;
  lane record;
  head record;
  verdict boolean;
  running jsonb;
  held jsonb;
  to_take integer := wanted;
  take integer;
  taken integer;
begin
  perform pg_advisory_xact_lock(7261961);
  moment := clock_timestamp();

  -- Renewed before any is taken away: a worker that was paused and is back keeps what nobody else has taken.
  for job in
    select j.tenant_id, j.worker = claimer and j.id = any(kept) as are_kept, array_agg(j.id) as ids from public.jobs j
    where j.state = 'running' and (j.lease_until < moment or j.worker = claimer and j.id = any(kept))
    group by 1, 2
  loop
    -- Those that are being ended at this moment are left alone.
    unended := array(
      select j.id from public.jobs j where j.tenant_id = job.tenant_id and j.id = any(job.ids) and j.state = 'running'
      for update skip locked
    );
    if job.are_kept then
      update public.jobs j set lease_until = moment + lease where j.tenant_id = job.tenant_id and j.id = any(unended);
    else
      update public.jobs j set state = 'waiting', run_at = moment, has_died = true, worker = null, lease_until = null
      where j.tenant_id = job.tenant_id and j.id = any(unended);
    end if;
  end loop;

  for news in
    select n.tenant_id, n.lane, min(n.ready_at) as ready_at, array_agg(n.id) as ids,
      array_agg(n.answered order by n.id) filter (where n.answered is not null) as verdicts
    from (select * from public.lane_news n order by n.tenant_id, n.id limit news_at_once) n
    group by n.tenant_id, n.lane
  loop
    select l.ready_at, l.ready_id, l.failures, l.closed_until into lane from public.lanes l
    where l.tenant_id = news.tenant_id and l.name = news.lane;
    if not found then
      -- Behind the tenant's other lanes, or a new lane would be a turn out of turn.
      select coalesce(max(l.served_at), '-infinity') into served from public.lanes l where l.tenant_id = news.tenant_id;
      insert into public.lanes (tenant_id, name, served_at) values (news.tenant_id, news.lane, served)
      returning lanes.ready_at, lanes.ready_id, lanes.failures, lanes.closed_until into lane;
    end if;
    if news.ready_at <= lane.ready_at then
      lane.ready_at := news.ready_at;
      lane.ready_id := 0;
    end if;
    foreach verdict in array coalesce(news.verdicts, '{}') loop
      lane.failures := case when verdict then 0 else lane.failures + 1 end;
      lane.closed_until := case when lane.failures >= failures_to_close then moment + closed_for end;
    end loop;
    update public.lanes l set ready_at = lane.ready_at, ready_id = lane.ready_id, failures = lane.failures,
      closed_until = lane.closed_until
    where l.tenant_id = news.tenant_id and l.name = news.lane;
    delete from public.lane_news n where n.tenant_id = news.tenant_id and n.id = any(news.ids);
  end loop;

  if wanted < 1 or most is null then return; end if;
  select coalesce(jsonb_object_agg(r.lane, r.n), '{}') into running
  from (select j.lane, count(*) as n from public.jobs j where j.state = 'running' group by j.lane) r;
  select coalesce(jsonb_object_agg(r.tenant_id, r.n), '{}') into held
  from (
    select j.tenant_id, count(*) as n from public.jobs j
    where j.state = 'running' and j.worker = claimer group by j.tenant_id
  ) r;

  for lane in
    select l.*, row_number() over (order by l.turn, l.tenant_served_at, l.tenant_id) as place, count(*) over () as places
    from (
      select l.*, row_number() over (partition by l.tenant_id order by l.served_at, l.name) as turn,
        max(l.served_at) over (partition by l.tenant_id) as tenant_served_at
      from public.lanes l
      where l.ready_at <= moment and l.tenant_id <> all(suspended) and (l.closed_until is null or l.closed_until <= moment)
        and coalesce((running ->> l.name)::integer, 0) < case when l.failures >= failures_to_close then 1 else most end
        and coalesce((held ->> l.tenant_id::text)::integer, 0) < wanted_each
        -- Lanes in which only other kinds wait are other workers'; one in which nothing waits any more is anybody's to put right.
        and (
          exists (
            select from public.jobs j
            where j.tenant_id = l.tenant_id and j.lane = l.name and j.state = 'waiting'
              and (j.run_at, j.id) >= (l.ready_at, l.ready_id) and j.run_at <= moment and j.kind = any(kinds)
          )
          or not exists (
            select from public.jobs j
            where j.tenant_id = l.tenant_id and j.lane = l.name and j.state = 'waiting'
              and (j.run_at, j.id) >= (l.ready_at, l.ready_id) and j.run_at <= moment
          )
        )
      order by turn, tenant_served_at, l.tenant_id limit wanted
    ) l
    order by place
  loop
    exit when to_take < 1;
    select j.kind into head from public.jobs j
    where j.tenant_id = lane.tenant_id and j.lane = lane.name and j.state = 'waiting'
      and (j.run_at, j.id) >= (lane.ready_at, lane.ready_id) and j.run_at <= moment and j.kind = any(kinds)
    order by j.run_at, j.id limit 1;
    taken := 0;
    if found then
      take := case when lane.failures >= failures_to_close then 1 else limits[array_position(kinds, head.kind)] end
        - coalesce((running ->> lane.name)::integer, 0);
      take := least(take, wanted_each - coalesce((held ->> lane.tenant_id::text)::integer, 0),
        ceil(to_take::numeric / (lane.places - lane.place + 1))::integer);
      continue when take < 1;
      return query
      with picked as (
        select j.id from public.jobs j
        where j.tenant_id = lane.tenant_id and j.lane = lane.name and j.state = 'waiting'
          and (j.run_at, j.id) >= (lane.ready_at, lane.ready_id) and j.run_at <= moment and j.kind = any(kinds)
        order by j.run_at, j.id limit take
        for update skip locked
      )
      update public.jobs j set state = 'running', attempt = j.attempt + 1, tries = j.tries + 1, worker = claimer,
        lease_until = moment + lease
      from picked where j.tenant_id = lane.tenant_id and j.id = picked.id
      returning j.tenant_id, j.id, j.kind, j.subject, j.attempt, j.tries, j.has_died;
      get diagnostics taken = row_count;
      to_take := to_take - taken;
      running := running || jsonb_build_object(lane.name, coalesce((running ->> lane.name)::integer, 0) + taken);
      held := held || jsonb_build_object(lane.tenant_id, coalesce((held ->> lane.tenant_id::text)::integer, 0) + taken);
    end if;
    select j.run_at, j.id into head from public.jobs j
    where j.tenant_id = lane.tenant_id and j.lane = lane.name and j.state = 'waiting'
      and (j.run_at, j.id) >= (lane.ready_at, lane.ready_id)
    order by j.run_at, j.id limit 1;
    update public.lanes l set ready_at = coalesce(head.run_at, 'infinity'), ready_id = coalesce(head.id, 0),
      served_at = case when taken > 0 then moment else l.served_at end
    where l.tenant_id = lane.tenant_id and l.name = lane.name;
  end loop;
end
$$;
