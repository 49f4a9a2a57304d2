-- Without a transaction: an index beside requests, for company_ids_by_tax_number.
-- Up Migration

create index concurrently if not exists companies_tax_number on companies (tenant_id, (tax_number(tax_id) collate "C"))
  where deleted_at is null and tax_id is not null;
