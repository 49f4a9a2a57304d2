-- The only function by which a worker reads across tenants: it returns ids and numbers, and no data of a tenant. Claims
-- run one after the other, so none exceeds a limit, and tenants are served in turn. Claims read lane by lane and write
-- tenant by tenant: fifty due webhooks of a tenant are two statements, not a hundred.
--
-- Returns at most `wanted` jobs of these kinds, with at most `wanted_each` of a tenant running for `claimer`. `limits`
-- has for each kind the number that may run at once in lanes of one name, over all tenants. `kept` are the claimer's
-- jobs whose leases are renewed.
create or replace function claim_jobs(
  claimer text, wanted integer, wanted_each integer, lease interval, kinds text[], limits integer[], kept bigint[]
) returns table (
  tenant_id bigint, id bigint, kind text, subject bigint, attempt bigint, tries integer, has_died boolean
) language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp as $$
declare
  failures_to_close constant integer := 5;
  closed_for constant interval := '30 seconds';
  news_at_once constant integer := 5000;
  most constant integer := (select max(l) from unnest(limits) l);
  -- The jobs of suspended tenants wait until they are resumed.
  suspended constant bigint[] := (select coalesce(array_agg(t.id), '{}') from public.tenants t where t.suspended_at is not null);
  moment timestamptz;
  -- Computed outside of the statement: Citus does not allow it in a case.
  closed_to timestamptz;
  served timestamptz;
  job record;
  unended bigint[];
  news record;
  lane record;
  head record;
  running jsonb;
  held jsonb;
  to_take integer := wanted;
  take integer;
  picked bigint[];
  -- The result so far: the jobs, their number for each lane's name and each tenant, and where lanes continue.
  jobs_of bigint[] := '{}';
  job_ids bigint[] := '{}';
  taken jsonb := '{}';
  given jsonb := '{}';
  lanes_of bigint[] := '{}';
  lane_names text[] := '{}';
  next_at timestamptz[] := '{}';
  next_ids bigint[] := '{}';
  was_served boolean[] := '{}';
  of_tenant bigint;
begin
  perform pg_advisory_xact_lock(7261961);
  moment := clock_timestamp();
  closed_to := moment + closed_for;

  -- Renewed before expired leases are released: a worker that returns after a pause keeps the jobs that no other worker
  -- has claimed.
  for job in
    select j.tenant_id, j.worker = claimer and j.id = any(kept) as are_kept, array_agg(j.id) as ids from public.jobs j
    where j.state = 'running' and (j.lease_until < moment or j.worker = claimer and j.id = any(kept))
    group by 1, 2
  loop
    -- Jobs that are being ended at this moment are skipped.
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
    select n.tenant_id, array_agg(n.lane) as lanes, array_agg(n.ready_at) as ready, array_agg(n.ids) as ids,
      -- The failures since the last answer, and whether there was an answer; null without a call.
      array_agg(cardinality(n.verdicts) - coalesce((array_positions(n.verdicts, true))[cardinality(array_positions(n.verdicts, true))], 0)) as failed,
      array_agg(true = any(n.verdicts)) as answered
    from (
      select n.tenant_id, n.lane, min(n.ready_at) as ready_at, string_agg(n.id::text, ',') as ids,
        array_agg(n.answered order by n.id) filter (where n.answered is not null) as verdicts
      from (select * from public.lane_news n order by n.tenant_id, n.id limit news_at_once) n
      group by n.tenant_id, n.lane
    ) n
    group by n.tenant_id
  loop
    -- Behind the tenant's other lanes; otherwise a new lane would be served out of turn.
    select coalesce(max(l.served_at), '-infinity') into served from public.lanes l where l.tenant_id = news.tenant_id;
    insert into public.lanes (tenant_id, name, served_at)
    select news.tenant_id, u.name, served from unnest(news.lanes) as u (name)
    on conflict do nothing;
    update public.lanes l set ready_at = least(l.ready_at, u.ready_at),
      ready_id = case when u.ready_at <= l.ready_at then 0 else l.ready_id end,
      failures = case when u.answered then 0 else l.failures end + coalesce(u.failed, 0),
      closed_until = case when u.failed is null then l.closed_until
        when case when u.answered then 0 else l.failures end + u.failed >= failures_to_close then closed_to end
    from unnest(news.lanes, news.ready, news.failed, news.answered) as u (name, ready_at, failed, answered)
    where l.tenant_id = news.tenant_id and l.name = u.name;
    delete from public.lane_news n
    where n.tenant_id = news.tenant_id and n.id = any(string_to_array(array_to_string(news.ids, ','), ',')::bigint[]);
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
        -- Lanes with waiting jobs of other kinds only are left to other workers. Any worker may correct a lane without
        -- waiting jobs.
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
    picked := '{}';
    if found then
      take := case when lane.failures >= failures_to_close then 1 else limits[array_position(kinds, head.kind)] end
        - coalesce((running ->> lane.name)::integer, 0) - coalesce((taken ->> lane.name)::integer, 0);
      take := least(take, ceil(to_take::numeric / (lane.places - lane.place + 1))::integer, wanted_each
        - coalesce((held ->> lane.tenant_id::text)::integer, 0) - coalesce((given ->> lane.tenant_id::text)::integer, 0));
      continue when take < 1;
      picked := array(
        select j.id from public.jobs j
        where j.tenant_id = lane.tenant_id and j.lane = lane.name and j.state = 'waiting'
          and (j.run_at, j.id) >= (lane.ready_at, lane.ready_id) and j.run_at <= moment and j.kind = any(kinds)
        order by j.run_at, j.id limit take
        for update skip locked
      );
      take := cardinality(picked);
      to_take := to_take - take;
      taken := taken || jsonb_build_object(lane.name, coalesce((taken ->> lane.name)::integer, 0) + take);
      given := given || jsonb_build_object(lane.tenant_id, coalesce((given ->> lane.tenant_id::text)::integer, 0) + take);
      jobs_of := jobs_of || array_fill(lane.tenant_id, array[take]);
      job_ids := job_ids || picked;
    end if;
    select j.run_at, j.id into head from public.jobs j
    where j.tenant_id = lane.tenant_id and j.lane = lane.name and j.state = 'waiting'
      and (j.run_at, j.id) >= (lane.ready_at, lane.ready_id) and j.id <> all(picked)
    order by j.run_at, j.id limit 1;
    lanes_of := lanes_of || lane.tenant_id;
    lane_names := lane_names || lane.name;
    next_at := next_at || coalesce(head.run_at, 'infinity');
    next_ids := next_ids || coalesce(head.id, 0);
    was_served := was_served || (cardinality(picked) > 0);
  end loop;

  for of_tenant in select distinct u.id from unnest(lanes_of) as u (id)
  loop
    return query
    update public.jobs j set state = 'running', attempt = j.attempt + 1, tries = j.tries + 1, worker = claimer,
      lease_until = moment + lease
    where j.tenant_id = of_tenant
      and j.id = any(array(select u.id from unnest(jobs_of, job_ids) as u (tenant, id) where u.tenant = of_tenant))
    returning j.tenant_id, j.id, j.kind, j.subject, j.attempt, j.tries, j.has_died;
    update public.lanes l set ready_at = u.ready_at, ready_id = u.ready_id,
      served_at = case when u.was_served then moment else l.served_at end
    from unnest(lanes_of, lane_names, next_at, next_ids, was_served) as u (tenant, name, ready_at, ready_id, was_served)
    where l.tenant_id = of_tenant and u.tenant = of_tenant and l.name = u.name;
  end loop;
end
$$;
