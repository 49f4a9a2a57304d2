-- Load functions: keep_history, invoices_before_update

-- The merged company whose connection the order was sent by, where the company that it went into has another warehouse.
alter table invoices add column wms_via bigint;
comment on column invoices.wms_via is 'history: hidden';
call keep_history('invoices', 'invoice');
