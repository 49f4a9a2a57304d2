-- Without a transaction: the rows of an import, by which it is undone (0065), and the companies whose own key a
-- warehouse refuses.
drop index concurrently if exists import_rows_of_resource;
create unique index concurrently if not exists import_rows_of_resource
  on import_rows (tenant_id, import_id, resource_id, is_person);
drop index concurrently if exists companies_with_refused_key;
create index concurrently if not exists companies_with_refused_key on companies (tenant_id, id)
  where wms_key_refused_at is not null and deleted_at is null;
