-- Enqueues, in the transaction of their cause, a job to send for each queued invoice, and one to follow orders for the
-- company. They are in the lane of its warehouse. Citus cannot read its own output of `case x when y`, hence the longer
-- form.
create or replace function enqueue_wms_jobs(tenant bigint, company bigint, queued bigint[], poll_at timestamptz) returns void
  language plpgsql as $$
declare
  warehouse constant text := 'wms/' || coalesce((public.warehouse_of_company(tenant, company)).subdomain, '');
begin
  if queued is not null then
    insert into public.jobs (tenant_id, kind, subject, lane)
    select tenant, 'send-invoice', sent.id, warehouse from unnest(queued) as sent (id)
    on conflict (tenant_id, kind, subject) do update set
      is_asked_again = case when jobs.state = 'running' then true else false end,
      state = case when jobs.state = 'running' then 'running' else 'waiting' end,
      lane = case when jobs.state = 'running' then jobs.lane else excluded.lane end,
      run_at = case when jobs.state = 'running' then jobs.run_at else excluded.run_at end,
      tries = case when jobs.state = 'running' then jobs.tries else 0 end,
      enqueued_at = case when jobs.state = 'failed' then excluded.enqueued_at else jobs.enqueued_at end;
  end if;
  if poll_at is not null then
    insert into public.jobs (tenant_id, kind, subject, lane, run_at)
    values (tenant, 'follow-orders', company, warehouse, poll_at)
    on conflict (tenant_id, kind, subject) do update set
      is_asked_again = case when jobs.state = 'running' then true else false end,
      state = case when jobs.state = 'running' then 'running' else 'waiting' end,
      lane = case when jobs.state = 'running' then jobs.lane else excluded.lane end,
      run_at = case when jobs.state = 'running' then jobs.run_at else least(jobs.run_at, excluded.run_at) end;
  end if;
end
$$;
