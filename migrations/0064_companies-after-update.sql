-- Up Migration

-- Most updates change none of these columns: the condition keeps the function out of them.
create or replace trigger after_update
  after update of status, deleted_at, external, wms_key_set_at, wms_send_automatically, wms_former_checked_at, wms_never
  on companies for each row
  when ((old.status, old.deleted_at, old.external, old.wms_key_set_at, old.wms_send_automatically,
      old.wms_former_checked_at, old.wms_never)
    is distinct from (new.status, new.deleted_at, new.external, new.wms_key_set_at, new.wms_send_automatically,
      new.wms_former_checked_at, new.wms_never))
  execute function companies_after_update();
