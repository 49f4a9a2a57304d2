-- Up Migration

-- The workspace's own connection to a warehouse, for companies without their own
-- (docs/decisions/0074-one-warehouse.md). A tenant has one row at most. It stays when the connection is removed:
-- after a loss, it shows that invoices of any company may have been sent. The columns have the names of those of
-- companies.
create table workspace_warehouses (
  tenant_id bigint not null references tenants (id), id bigserial not null,
  wms_subdomain text, wms_api_key text,
  wms_send_automatically boolean not null default false,
  wms_key_set_at timestamptz,
  wms_key_set_by text,
  -- When the warehouse last refused the key; null since a call worked, or another key was saved.
  wms_key_refused_at timestamptz,
  created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  changed_by text,
  primary key (tenant_id, id),
  unique (tenant_id),
  check ((wms_subdomain is null) = (wms_api_key is null))
);
call protect_tenant_table('workspace_warehouses');
grant usage on all sequences in schema public to liaison_app;

-- Whether the company's invoices are sent to no warehouse, not even to the workspace's.
alter table companies add column wms_never boolean not null default false;
call keep_history('companies', 'company', encrypted => '{phone}', hidden =>
  '{wms_api_key,wms_key_set_at,wms_key_set_by,wms_key_refused_at,wms_send_automatically,wms_former_checked_at,wms_never,last_contacted_at}');

-- The history of the workspace contains both. `connection_updated` already records a connection that ends with
-- "never".
-- Load functions: keep_connection_history
create trigger never_updated after update of wms_never on companies for each row
  when (old.wms_never <> new.wms_never and old.wms_key_set_at is not distinct from new.wms_key_set_at
    and old.wms_send_automatically = new.wms_send_automatically)
  execute function keep_connection_history();
-- The triggers of workspace_warehouses: 0392.

-- The triggers of invoices follow the connection that holds for a company.
-- Load functions: warehouse_of_company, queue_automatically, enqueue_wms_jobs
