-- Without a transaction: the few invoices whose orders a merged company's connection reaches.
create index concurrently if not exists invoices_via on invoices (tenant_id, wms_via) where wms_via is not null;

-- Without statistics, PostgreSQL took the index of the other end, since both began with the type.
create index concurrently if not exists merges_into on merges (tenant_id, kept_id, id);
create index concurrently if not exists merges_out_of on merges (tenant_id, from_id, id);
drop index concurrently if exists merges_of_kept;
drop index concurrently if exists merges_of_merged;
