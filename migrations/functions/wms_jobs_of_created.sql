-- The jobs of invoices that an insert left queued, or with an order to follow.
create or replace function wms_jobs_of_created() returns trigger language plpgsql as $$
declare
  changed record;
begin
  for changed in
    select w.tenant_id, w.company_id, array_agg(w.id order by w.id) filter (where w.wms_state = 'queued') as queued,
      min(w.wms_poll_at) as poll_at
    from written w where w.wms_state = 'queued' or w.wms_poll_at is not null group by w.tenant_id, w.company_id
  loop
    perform public.enqueue_wms_jobs(changed.tenant_id, changed.company_id, changed.queued, changed.poll_at);
  end loop;
  return null;
end
$$;
