-- Invoices have values of custom fields, as companies and contacts do. A changed value changes the version of an
-- invoice. The second argument enables that step: triggers of earlier migrations run while the column is missing.
-- Load functions: history_of_metadata, history_json, history_of_external_ids, keep_history, invoices_before_update

alter table invoices add column metadata jsonb;
call keep_history('invoices', 'invoice');

create or replace trigger before_update before update on invoices for each row
  when ((old.company_id, old.number, old.issued_on, old.due_on, old.total::text, old.currency, old.status, old.lines,
      old.external, old.metadata, old.delivery_address_id, old.wms_state, old.wms_status, old.wms_gone_at,
      old.wms_order_id, old.wms_instance, old.wms_is_final, old.wms_moved_at, old.wms_updated_at, old.wms_synced_at,
      old.wms_open_since, old.wms_settled_at, old.created_at, old.wms_shown, old.wms_needs_at)
    is distinct from (new.company_id, new.number, new.issued_on, new.due_on, new.total::text, new.currency, new.status,
      new.lines, new.external, new.metadata, new.delivery_address_id, new.wms_state, new.wms_status, new.wms_gone_at,
      new.wms_order_id, new.wms_instance, new.wms_is_final, new.wms_moved_at, new.wms_updated_at, new.wms_synced_at,
      new.wms_open_since, new.wms_settled_at, new.created_at, new.wms_shown, new.wms_needs_at))
  execute function invoices_before_update('with wms_shown', 'with metadata');
alter table invoices enable always trigger before_update;
