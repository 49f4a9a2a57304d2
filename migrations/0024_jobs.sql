-- Up Migration

-- The queue (docs/decisions/0027-jobs.md). A job says that something is to be done about one subject, of one kind; what
-- it is stands in the subject's own row. There is one job for a kind and a subject at a time, so it never runs beside itself.
create table jobs (
  tenant_id bigint not null references tenants (id),
  id bigserial not null,
  kind text not null,
  subject bigint not null,
  lane text not null,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'failed')),
  run_at timestamptz not null default now(),
  -- Counts every claim and never goes back: who has an older one has lost the job.
  attempt bigint not null default 0,
  -- The attempts that count.
  tries integer not null default 0,
  -- Whether the attempt before ended without a word.
  has_died boolean not null default false,
  -- Whether it was enqueued once more while it ran.
  is_asked_again boolean not null default false,
  worker text,
  lease_until timestamptz,
  enqueued_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, kind, subject)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
create index jobs_waiting on jobs (tenant_id, lane, run_at, id) where state = 'waiting';
create index jobs_running on jobs (lane, lease_until) where state = 'running';

-- What a claim knows of the jobs of one name. Written by claims alone, which come one after the other, so nobody waits for
-- a row of it.
create table lanes (
  tenant_id bigint not null references tenants (id),
  name text not null,
  -- No waiting job comes before this place in jobs_waiting, but for those that lane_news tells of.
  ready_at timestamptz not null default 'infinity',
  ready_id bigint not null default 0,
  served_at timestamptz not null default '-infinity',
  -- Failures in a row. From the fifth on it is closed for a while, and then open for one job at a time.
  failures integer not null default 0,
  closed_until timestamptz,
  primary key (tenant_id, name)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
create index lanes_ready on lanes (ready_at);

-- Whoever enqueues, postpones or ends a job appends what that means for its lane, and waits for nobody; the next claim
-- folds it into the lane.
create table lane_news (
  -- No reference to tenants: the job that it is about has one.
  tenant_id bigint not null,
  id bigserial not null,
  lane text not null,
  -- A job waits from then on.
  ready_at timestamptz,
  -- Whether who was called gave an answer (true) or failed to (false).
  answered boolean,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

call protect_tenant_table('jobs');
call protect_tenant_table('lanes');
call protect_tenant_table('lane_news');
grant usage on all sequences in schema public to liaison_app;

create function tell_lanes() returns trigger language plpgsql as $$
declare
  woken record;
begin
  for woken in
    select c.tenant_id, c.lane, min(c.run_at) as run_at from changed c
    where c.state = 'waiting' group by c.tenant_id, c.lane
  loop
    insert into public.lane_news (tenant_id, lane, ready_at) values (woken.tenant_id, woken.lane, woken.run_at);
    if woken.run_at <= now() then perform pg_notify('liaison_jobs', ''); end if;
  end loop;
  return null;
end
$$;
create trigger tell_inserted after insert on jobs
  referencing new table as changed for each statement execute function tell_lanes();
create trigger tell_updated after update on jobs
  referencing new table as changed for each statement execute function tell_lanes();

-- The one door through which a worker looks across tenants: it returns ids and numbers, and nothing that is a tenant's.
-- Claims come one after the other, so that none overshoots a limit and tenants are served in turns.
--
-- `wanted` jobs at most, and so many that `claimer` holds no more than `wanted_each` of a tenant's; of these kinds, each with
-- the number that may run at once in a lane of one name, whichever tenants' they are. `kept` are the claimer's
-- jobs whose leases begin anew.
create function claim_jobs(
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
  moment timestamptz;
  job record;
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
    select j.tenant_id, j.id, j.worker = claimer and j.id = any(kept) as is_kept from public.jobs j
    where j.state = 'running' and (j.lease_until < moment or j.worker = claimer and j.id = any(kept))
  loop
    -- One that is being ended at this moment is left alone.
    perform from public.jobs j where j.tenant_id = job.tenant_id and j.id = job.id and j.state = 'running'
    for update skip locked;
    continue when not found;
    if job.is_kept then
      update public.jobs j set lease_until = moment + lease where j.tenant_id = job.tenant_id and j.id = job.id;
    else
      update public.jobs j set state = 'waiting', run_at = moment, has_died = true, worker = null, lease_until = null
      where j.tenant_id = job.tenant_id and j.id = job.id;
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
      insert into public.lanes (tenant_id, name, served_at)
      values (news.tenant_id, news.lane,
        coalesce((select max(l.served_at) from public.lanes l where l.tenant_id = news.tenant_id), '-infinity'))
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
      where l.ready_at <= moment and (l.closed_until is null or l.closed_until <= moment)
        and coalesce((running ->> l.name)::integer, 0) < case when l.failures >= failures_to_close then 1 else most end
        and coalesce((held ->> l.tenant_id::text)::integer, 0) < wanted_each
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
revoke all on function claim_jobs from public;
grant execute on function claim_jobs to liaison_app;

-- Ends attempts, each by {id, attempt, outcome, after_ms, counts, lane, answered}, and says of each whether it was still the
-- job's: one that is over changes nothing. `is_strict`: it fails instead, so that all that its transaction does is undone.
create function finish_jobs(tenant bigint, entries json, is_strict boolean) returns setof boolean
  language plpgsql
as $$
declare
  entry record;
  job record;
  next_state text;
  next_tries integer;
  moment timestamptz;
begin
  for entry in
    select * from json_to_recordset(entries) as e (
      id bigint, attempt bigint, outcome text, after_ms double precision, counts boolean, lane text, answered boolean
    )
  loop
    select j.lane, j.tries, j.is_asked_again into job from public.jobs j
    where j.tenant_id = tenant and j.id = entry.id and j.attempt = entry.attempt and j.state = 'running'
    for update;
    if not found then
      if is_strict then
        raise exception using errcode = 'LN001', message = 'the attempt at the job is over';
      end if;
      return next false;
      continue;
    end if;
    if entry.outcome = 'done' and not job.is_asked_again then
      delete from public.jobs j where j.tenant_id = tenant and j.id = entry.id;
    else
      next_state := case when entry.outcome = 'failed' and not job.is_asked_again then 'failed' else 'waiting' end;
      next_tries := case
        when entry.outcome = 'again' then job.tries - case when entry.counts then 0 else 1 end
        when next_state = 'failed' then job.tries else 0 end;
      moment := clock_timestamp() + coalesce(entry.after_ms, 0) * interval '1 millisecond';
      update public.jobs j set state = next_state, run_at = moment, tries = next_tries, lane = coalesce(entry.lane, job.lane),
        is_asked_again = false, has_died = false, worker = null, lease_until = null
      where j.tenant_id = tenant and j.id = entry.id;
    end if;
    if entry.answered is not null then
      insert into public.lane_news (tenant_id, lane, answered) values (tenant, job.lane, entry.answered);
    end if;
    return next true;
  end loop;
end
$$;
