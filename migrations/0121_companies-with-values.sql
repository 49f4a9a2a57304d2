-- Without a transaction: the companies with values of custom fields, to count and remove those of a deleted field.
create index concurrently if not exists companies_with_values on companies (tenant_id, id) where metadata is not null;
