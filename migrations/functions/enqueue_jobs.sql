-- Enqueues jobs of one kind, each subject in the lane at its place. Each job exists once. A failed job waits again. A
-- running job runs once more afterwards. For a job that waits, `if_waiting` decides: 'leave' changes nothing, 'hasten'
-- moves it to the lane and to the earlier time, and 'restart' makes it a new job. Citus cannot read its own output of
-- `case x when y`, hence the longer form.
create or replace function enqueue_jobs(
  tenant bigint, job_kind text, subjects bigint[], lane_names text[], first_run timestamptz, if_waiting text
) returns void language plpgsql as $$
begin
  insert into public.jobs (tenant_id, kind, subject, lane, run_at)
  select tenant, job_kind, sent.subject, sent.lane, first_run from unnest(subjects, lane_names) as sent (subject, lane)
  on conflict (tenant_id, kind, subject) do update set
    is_asked_again = case when jobs.state = 'running' then true else false end,
    state = case when jobs.state = 'running' then 'running' else 'waiting' end,
    lane = case when jobs.state = 'running' then jobs.lane else excluded.lane end,
    run_at = case when jobs.state = 'running' then jobs.run_at
      when if_waiting = 'hasten' then least(jobs.run_at, excluded.run_at) else excluded.run_at end,
    tries = case when jobs.state = 'running' or if_waiting = 'hasten' then jobs.tries else 0 end,
    enqueued_at = case when jobs.state = 'failed' then excluded.enqueued_at else jobs.enqueued_at end
  where case when jobs.state = 'running' then not jobs.is_asked_again when jobs.state = 'waiting' then if_waiting <> 'leave'
    else true end;
end
$$;
