-- Without a transaction: companies have rows.
-- Up Migration

-- The names of a workspace's warehouses, each with a company that has a key for it: after a loss, an invoice's order is
-- looked up in all of them (docs/decisions/0041-what-the-warehouse-may-have.md).
create index concurrently if not exists companies_by_warehouse on companies (tenant_id, lower(wms_subdomain), id)
  where wms_api_key is not null and deleted_at is null and wms_key_refused_at is null;
