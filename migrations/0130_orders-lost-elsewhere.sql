-- Up Migration

-- Every slug that the tenant had before, as far as its backups tell: orders were made under each
-- (docs/decisions/0060-tenants-beside-tenants.md). It takes the place of orders_lost_slug, which knew the last one alone.
alter table tenants add column orders_lost_slugs text[] not null default '{}';
-- Brief: an installation has some hundred tenants.
update tenants set orders_lost_slugs = array[orders_lost_slug] where orders_lost_slug is not null;

-- When it was proved last that no warehouse has an order of the invoice (docs/decisions/0041-what-the-warehouse-may-have.md).
alter table invoices add column wms_absent_at timestamptz;
call keep_history('invoices', 'invoice', encrypted => '{lines}', hidden =>
  '{wms_state,wms_error,wms_attempt,wms_synced_at,wms_updated_at,wms_open_since,wms_open_instance,wms_open_source,wms_absent_at,wms_trace,wms_poll_at,wms_poll_every,wms_owns_order,wms_is_final,wms_moved_at,edited_at}');

-- When a person said last that no lost order of the company is at the warehouses that it was connected with before.
alter table companies add column wms_former_checked_at timestamptz;
call keep_history('companies', 'company', encrypted => '{phone}', hidden =>
  '{wms_api_key,wms_key_set_at,wms_key_set_by,wms_send_automatically,wms_former_checked_at,last_contacted_at}');

-- That stands in the history of the connection, with who said it.
-- Load functions: keep_connection_history
create trigger former_warehouses_checked after update of wms_former_checked_at on companies for each row
  when (old.wms_former_checked_at is distinct from new.wms_former_checked_at) execute function keep_connection_history();
