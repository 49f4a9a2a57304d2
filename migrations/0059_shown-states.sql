-- Up Migration

-- What everybody is shown of an invoice and its order (docs/decisions/0051-one-truth-about-an-order.md). What it is made from:
alter table invoices
  -- Whether the order's status is one of LIAISON_WMS_FINAL, as the worker that asked for it found; null: nobody has asked since the
  -- status was written.
  add column wms_is_final boolean,
  -- Since when the warehouse no longer has the order; null: it has it, as far as anybody knows.
  add column wms_gone_at timestamptz,
  -- Since when it stands as it does; null: since before this column.
  add column wms_moved_at timestamptz,
  -- When somebody said that it is right so.
  add column wms_settled_at timestamptz;

update invoices set wms_gone_at = coalesce(wms_synced_at, updated_at)
where wms_order_id is not null and wms_error = 'The warehouse no longer has this order.';

-- One expression each, which the whole program reads. Citus cannot read a `case x when y` again that it has written down itself.
alter table invoices
  -- The word. An order's own status stands behind `open:`, or behind `final:` where it is the last.
  add column wms_shown text not null generated always as (
    case
      when wms_order_id is null then
        case when wms_state = 'queued' then 'waiting' when wms_state = 'sending' then 'on_its_way'
          when wms_state = 'unknown' then 'being_checked' when wms_state = 'failed' then 'refused' else 'not_sent' end
      when wms_instance is null then 'to_be_confirmed'
      when wms_gone_at is not null then 'gone'
      when lower(wms_status) in ('cancelled', 'canceled') then
        case when status = 'cancelled' then 'cancelled' else 'cancelled_there' end
      when coalesce(wms_is_final, lower(wms_status) in ('shipped', 'delivered', 'completed', 'closed'))
        then 'final:' || translate(lower(left(wms_status, 100)), ' -', '__')
      else 'open:' || coalesce(translate(lower(left(wms_status, 100)), ' -', '__'), '')
    end) stored,
  -- From when on it needs somebody; null: it does not. Sums are made in UTC, because those of a time zone are not immutable.
  add column wms_needs_at timestamptz generated always as (
    case
      when wms_order_id is null then
        case
          when wms_state = 'failed' then coalesce(wms_moved_at, created_at)
          when wms_state = 'unknown' then
            timezone('UTC', timezone('UTC', coalesce(wms_open_since, wms_moved_at, created_at)) + interval '1 hour')
        end
      when wms_instance is null then coalesce(wms_moved_at, wms_synced_at, created_at)
      when wms_gone_at is not null or lower(wms_status) in ('cancelled', 'canceled') then
        case when wms_settled_at is null and (wms_gone_at is not null or status <> 'cancelled')
          then coalesce(wms_moved_at, wms_updated_at, wms_synced_at, created_at) end
      when coalesce(wms_is_final, lower(wms_status) in ('shipped', 'delivered', 'completed', 'closed'), false) then null
      else timezone('UTC', timezone('UTC', coalesce(wms_moved_at, wms_updated_at, wms_synced_at, created_at)) + interval '3 days')
    end) stored;
call keep_history('invoices', 'invoice', encrypted => '{lines}', hidden =>
  '{wms_state,wms_error,wms_attempt,wms_synced_at,wms_updated_at,wms_open_since,wms_open_instance,wms_open_source,wms_poll_at,wms_poll_every,wms_owns_order,wms_is_final,wms_moved_at}');

create index invoices_in_need on invoices (tenant_id, wms_needs_at) where wms_needs_at is not null;
create index invoices_under_way on invoices (tenant_id, issued_on desc nulls last, id desc)
  where wms_shown in ('waiting', 'on_its_way', 'being_checked') or wms_shown like 'open:%';
create index invoices_by_shown on invoices (tenant_id, wms_shown, issued_on desc nulls last, id desc);
create index invoices_by_date on invoices (tenant_id, issued_on desc nulls last, id desc);

-- An invoice that stands otherwise than before does so from now on, and what somebody said of it is over. The worker that asked the
-- warehouse brings the moment along, and whether the status is final; whoever else writes one knows neither.
create or replace function move_order() returns trigger
  language plpgsql
as $$
begin
  if new.wms_moved_at is not distinct from old.wms_moved_at then
    new.wms_moved_at := now();
    new.wms_is_final := null;
  end if;
  if new.wms_order_id is distinct from old.wms_order_id or new.wms_instance is distinct from old.wms_instance then
    new.wms_gone_at := null;
  end if;
  new.wms_settled_at := null;
  return new;
end
$$;
create trigger wms_moved before update on invoices for each row
  when (old.wms_state <> new.wms_state or old.wms_status is distinct from new.wms_status or (old.wms_gone_at is null) <> (new.wms_gone_at is null)
    or old.wms_order_id is distinct from new.wms_order_id or old.wms_instance is distinct from new.wms_instance)
  execute function move_order();

-- As in 0045, and of orders that were put aside to be sent again.
-- The jobs of invoices that an update left queued, or whose order it took away although the warehouse may have it. Orders are
-- followed where one is to be asked for now, or sooner than before. One that is to be asked for later was asked for just now, by
-- the job that records the answer: that knows when to come again.
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
      array_agg(w.id order by w.id) filter (where (w.wms_state = 'queued' and b.wms_state in ('not_sent', 'failed', 'sent'))
        or (w.wms_state = 'unknown' and b.wms_state = 'sent')) as queued,
      min(w.wms_poll_at) filter (where w.wms_poll_at is distinct from b.wms_poll_at
        and (w.wms_poll_at <= now() or w.wms_poll_at < coalesce(b.wms_poll_at, 'infinity'))) as poll_at
    from overwritten b join written w on w.tenant_id = b.tenant_id and w.id = b.id
    where (w.wms_state = 'queued' and b.wms_state in ('not_sent', 'failed', 'sent'))
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
