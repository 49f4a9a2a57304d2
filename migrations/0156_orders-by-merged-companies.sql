-- Without a transaction: the few invoices whose orders a merged company's connection reaches.
create index concurrently if not exists invoices_via on invoices (tenant_id, wms_via) where wms_via is not null;
