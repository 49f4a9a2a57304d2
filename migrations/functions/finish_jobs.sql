-- Ends attempts, each {id, attempt, outcome, after_ms, counts, lane, answered}, and returns for each whether the job
-- still belonged to it. An attempt that is over changes nothing, or fails the whole transaction if `is_strict`. A job
-- that was enqueued again while it ran runs again at once, unless it made a call: then its pause remains, and without
-- an answer nothing shortens it. The outcome `held` ends nothing: the attempt has the job until the commit.
create or replace function finish_jobs(tenant bigint, entries json, is_strict boolean) returns setof boolean
  language plpgsql as $$
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
    if entry.outcome = 'held' then
      return next true;
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
        is_asked_again = false, is_sparing = entry.answered is false, has_died = false, worker = null, lease_until = null
      where j.tenant_id = tenant and j.id = entry.id;
    end if;
    if entry.answered is not null then
      insert into public.lane_news (tenant_id, lane, answered) values (tenant, job.lane, entry.answered);
    end if;
    return next true;
  end loop;
end
$$;
