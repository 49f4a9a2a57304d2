-- Without a transaction: invoices have rows. Warehouses without the call are known by their latest answer to it.

create index concurrently if not exists invoices_not_cancellable on invoices (tenant_id, wms_instance, wms_cancel_at)
  where wms_cancel = 'unsupported';
