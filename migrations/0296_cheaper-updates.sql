-- Without a transaction: each table is locked by itself. An update records its change in a trigger for each row, and
-- triggers name the columns that they read instead of comparing them: PostgreSQL parses a `when` in each statement.

-- Load functions: keep_history, invoices_before_update, invoices_after_update
-- Load functions: move_company_count, companies_after_update
call keep_history('companies', 'company');
call keep_history('contacts', 'contact');
call keep_history('addresses', 'address');
call keep_history('invoices', 'invoice');
call keep_history('payments', 'payment');
call keep_history('planned_calls', 'planned_call');
call keep_history('custom_fields', 'custom_field');
create or replace trigger after_update after update of status, deleted_at, external, metadata, wms_key_set_at,
    wms_send_automatically, wms_former_checked_at, wms_never on companies
  for each row execute function companies_after_update();
do $$
begin
  create or replace trigger before_update before update of company_id, number, issued_on, due_on, total, currency, status,
      lines, external, metadata, delivery_address_id, wms_state, wms_status, wms_gone_at, wms_order_id, wms_instance,
      wms_is_final, wms_moved_at, wms_updated_at, wms_synced_at, wms_open_since, wms_settled_at, created_at, wms_shown,
      wms_needs_at on invoices
    for each row execute function invoices_before_update('with wms_shown', 'with metadata');
  alter table invoices enable always trigger before_update;
end $$;
create or replace trigger after_update after update of external, metadata, paid, company_id, status, issued_on, total,
    currency on invoices
  for each row execute function invoices_after_update('with metadata', 'with sales');
create or replace trigger before_update before update of deleted_at on payments for each row
  when ((old.deleted_at is null) is distinct from (new.deleted_at is null) and new.external is not null)
  execute function hide_external_ids('payment');
create or replace trigger after_update after update of deleted_at on payments for each row
  when ((old.deleted_at is null) is distinct from (new.deleted_at is null) and pg_trigger_depth() = 0)
  execute function payments_after_write();
