-- Up Migration

-- As in 0024. A job that was asked for again while it ran runs at once, whenever it would have come again by itself: what it
-- was asked for may be due before that. Only where it called somebody, and has to wait for them, it waits.
create or replace function finish_jobs(tenant bigint, entries json, is_strict boolean) returns setof boolean
  language plpgsql
as $$
declare
  entry record;
  job record;
  next_state text;
  next_tries integer;
  after_ms double precision;
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
      after_ms := case when job.is_asked_again and entry.answered is null then 0 else coalesce(entry.after_ms, 0) end;
      moment := clock_timestamp() + after_ms * interval '1 millisecond';
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

-- As in 0043. Orders are followed where one is to be asked for now, or sooner than before. One that is to be asked for later was
-- asked for just now, by the job that records the answer: that knows when to come again.
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
      min(w.wms_poll_at) filter (where w.wms_poll_at is distinct from b.wms_poll_at
        and (w.wms_poll_at <= now() or w.wms_poll_at < coalesce(b.wms_poll_at, 'infinity'))) as poll_at
    from overwritten b join written w on w.tenant_id = b.tenant_id and w.id = b.id
    where (w.wms_state = 'queued' and b.wms_state in ('not_sent', 'failed'))
      or (w.wms_state = 'unknown' and b.wms_state = 'sent')
      or (w.wms_poll_at is distinct from b.wms_poll_at
        and (w.wms_poll_at <= now() or w.wms_poll_at < coalesce(b.wms_poll_at, 'infinity')))
    group by w.tenant_id, w.company_id
  loop
    perform public.enqueue_wms_jobs(changed.tenant_id, changed.company_id, changed.queued, changed.poll_at);
  end loop;
  return null;
end
$$;
