-- Up Migration

-- An invoice that comes to a company that sends by itself becomes one that may be sent, as one does whose status changes.
create or replace trigger wms_automatic_updated before update of status, company_id on invoices for each row
  when (new.wms_state = 'not_sent' and new.wms_order_id is null and new.status in ('issued', 'paid')
    and (old.status not in ('issued', 'paid') or old.company_id <> new.company_id))
  execute function queue_automatically();

-- As in 0022. Where sending was attempted, the order that an invoice has lost is looked for where it was, before another is made.
create or replace function follow_wms_order() returns trigger
  language plpgsql
as $$
begin
  new.wms_state := case when new.wms_order_id is not null then 'sent' when new.wms_attempt > 0 then 'unknown' else 'not_sent' end;
  new.wms_error := null;
  if new.wms_state = 'unknown' and tg_op = 'UPDATE' then
    new.wms_open_since := now();
    new.wms_open_instance := old.wms_instance;
    new.wms_poll_at := null;
  end if;
  return new;
end
$$;

-- As in 0036, and a job for such an invoice.
create or replace function wms_jobs_of_updated() returns trigger
  language plpgsql
  set enable_hashjoin = on
  set enable_nestloop = off
as $$
declare
  changed record;
begin
  for changed in
    select w.tenant_id, w.company_id,
      array_agg(w.id order by w.id) filter (where (w.wms_state = 'queued' and b.wms_state in ('not_sent', 'failed'))
        or (w.wms_state = 'unknown' and b.wms_state = 'sent')) as queued,
      min(w.wms_poll_at) filter (where w.wms_poll_at is distinct from b.wms_poll_at) as poll_at
    from overwritten b join written w on w.tenant_id = b.tenant_id and w.id = b.id
    where (w.wms_state = 'queued' and b.wms_state in ('not_sent', 'failed'))
      or (w.wms_state = 'unknown' and b.wms_state = 'sent')
      or (w.wms_poll_at is not null and w.wms_poll_at is distinct from b.wms_poll_at)
    group by w.tenant_id, w.company_id
  loop
    perform public.enqueue_wms_jobs(changed.tenant_id, changed.company_id, changed.queued, changed.poll_at);
  end loop;
  return null;
end
$$;

-- An order belongs to one invoice: who confirms a link looks for others of its order.
create index invoices_by_wms_order on invoices (tenant_id, wms_order_id) where wms_order_id is not null;

-- As in 0025, without the jobs of suspended tenants.
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
