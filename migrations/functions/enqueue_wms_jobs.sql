-- Enqueues, in the transaction of their cause, a job to send for each queued invoice, and one to follow orders for the
-- company. They are in the lane of its warehouse. A job that follows keeps its tries: its pause depends on them.
create or replace function enqueue_wms_jobs(tenant bigint, company bigint, queued bigint[], poll_at timestamptz) returns void
  language plpgsql as $$
declare
  lane constant text := 'wms/' || coalesce((public.warehouse_of_company(tenant, company)).subdomain, '');
begin
  if queued is not null then
    perform public.enqueue_jobs(
      tenant, 'send-invoice', queued, array_fill(lane, array[cardinality(queued)]), now(), 'restart');
  end if;
  if poll_at is not null then
    perform public.enqueue_jobs(tenant, 'follow-orders', array[company], array[lane], poll_at, 'hasten');
  end if;
end
$$;
