-- The state of an invoice's order that pages and the API show, made from both sides
-- (docs/decisions/0051-one-truth-about-an-order.md). The status of the order is behind `open:`, or behind `final:` if
-- it is the last. PostgreSQL inlines the function.
create or replace function order_shown(
  status text, wms_state text, wms_order_id bigint, wms_instance text, wms_gone_at timestamptz, wms_status text,
  wms_is_final boolean
) returns text language sql immutable as $$
  select case
    when wms_order_id is null then
      case when wms_state = 'queued' then 'waiting' when wms_state = 'sending' then 'on_its_way'
        when wms_state = 'unknown' then 'being_checked' when wms_state = 'failed' then 'refused' else 'not_sent' end
    when wms_instance is null then 'to_be_confirmed'
    when wms_gone_at is not null then 'gone'
    when lower(wms_status) in ('cancelled', 'canceled') then
      case when status = 'cancelled' then 'cancelled' else 'cancelled_there' end
    when coalesce(wms_is_final, lower(wms_status) in ('shipped', 'delivered', 'completed', 'closed')) then
      case when status = 'cancelled' then 'shipped_cancelled'
        else 'final:' || coalesce(translate(lower(left(wms_status, 100)), ' -', '__'), '') end
    when status = 'cancelled' then 'cancelled_here'
    else 'open:' || coalesce(translate(lower(left(wms_status, 100)), ' -', '__'), '')
  end
$$;
