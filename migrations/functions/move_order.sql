-- The worker that reads the order in the warehouse writes the time, and whether the status is final. Other writers know
-- neither.
create or replace function move_order() returns trigger language plpgsql as $$
begin
  if new.wms_moved_at is not distinct from old.wms_moved_at then
    new.wms_moved_at := now();
    new.wms_is_final := null;
  end if;
  if new.wms_order_id is distinct from old.wms_order_id or new.wms_instance is distinct from old.wms_instance then
    new.wms_gone_at := null;
  end if;
  new.wms_settled_at := null;
  new.wms_put_off_until := null;
  return new;
end
$$;
