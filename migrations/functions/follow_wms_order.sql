-- An invoice with an order is sent, whichever writer set the order. An invoice that loses its order becomes not sent,
-- or unknown if sending was attempted. In the latter case the order is looked up at the instance of the last attempt
-- (`wms_open_instance`).
create or replace function follow_wms_order() returns trigger language plpgsql as $$
begin
  new.wms_state := case when new.wms_order_id is not null then 'sent' when new.wms_attempt > 0 then 'unknown' else 'not_sent' end;
  new.wms_error := null;
  if new.wms_state = 'unknown' and tg_op = 'UPDATE' then
    new.wms_open_since := now();
    new.wms_open_instance := coalesce(old.wms_open_instance, old.wms_instance);
    new.wms_poll_at := null;
  end if;
  return new;
end
$$;
