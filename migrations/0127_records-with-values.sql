-- Without a transaction: the contacts and invoices with values of custom fields, as companies_with_values.
create index concurrently if not exists contacts_with_values on contacts (tenant_id, id) where metadata is not null;
create index concurrently if not exists invoices_with_values on invoices (tenant_id, id) where metadata is not null;
