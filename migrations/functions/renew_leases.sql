-- A part of claim_jobs: renews the leases of the claimer's jobs, then releases jobs whose leases have expired. In this
-- order, a worker that returns after a pause keeps the jobs that no other worker has claimed.
create or replace function renew_leases(claimer text, renewed bigint[], moment timestamptz, lease interval) returns void
  language plpgsql as $$
declare
  job record;
  unended bigint[];
begin
  for job in
    select j.tenant_id, j.worker = claimer and j.id = any(renewed) as is_renewed, array_agg(j.id) as ids
    from public.jobs j
    where j.state = 'running' and (j.lease_until < moment or j.worker = claimer and j.id = any(renewed))
    group by 1, 2
  loop
    -- Jobs that are being ended at this moment are skipped.
    unended := array(
      select j.id from public.jobs j where j.tenant_id = job.tenant_id and j.id = any(job.ids) and j.state = 'running'
      for update skip locked
    );
    if job.is_renewed then
      update public.jobs j set lease_until = moment + lease where j.tenant_id = job.tenant_id and j.id = any(unended);
    else
      update public.jobs j set state = 'waiting', run_at = moment, has_died = true, worker = null, lease_until = null
      where j.tenant_id = job.tenant_id and j.id = any(unended);
    end if;
  end loop;
end
$$;
