-- The jobs of invoices that an update queued, or whose order it removed although the warehouse may have it. An order is
-- followed if it is due now, or sooner than before, or if it moved with its company. An order due later was just read
-- by the job that follows it, which schedules itself again. The jobs are those of the company whose connection applies.
create or replace function wms_jobs_of_updated() returns trigger language plpgsql
  set enable_hashjoin = on
  set enable_nestloop = off as $$
declare
  changed record;
begin
  for changed in
    -- Older migrations write rows without wms_via.
    select w.tenant_id, coalesce((to_jsonb(w) ->> 'wms_via')::bigint, w.company_id) as company_id,
      array_agg(w.id order by w.id) filter (where (w.wms_state = 'queued' and b.wms_state in ('not_sent', 'failed', 'sent'))
        or (w.wms_state = 'unknown' and b.wms_state = 'sent')) as queued,
      min(w.wms_poll_at) filter (where w.company_id <> b.company_id or (w.wms_poll_at is distinct from b.wms_poll_at
        and (w.wms_poll_at <= now() or w.wms_poll_at < coalesce(b.wms_poll_at, 'infinity')))) as poll_at
    from overwritten b join written w on w.tenant_id = b.tenant_id and w.id = b.id
    where (w.wms_state = 'queued' and b.wms_state in ('not_sent', 'failed', 'sent'))
      or (w.wms_state = 'unknown' and b.wms_state = 'sent')
      or (w.company_id <> b.company_id and w.wms_poll_at is not null)
      or (w.wms_poll_at is distinct from b.wms_poll_at
        and (w.wms_poll_at <= now() or w.wms_poll_at < coalesce(b.wms_poll_at, 'infinity')))
    group by 1, 2
  loop
    perform public.enqueue_wms_jobs(changed.tenant_id, changed.company_id, changed.queued, changed.poll_at);
  end loop;
  return null;
end
$$;
