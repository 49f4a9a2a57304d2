-- Without a transaction: the number of a fiscal id is in an index only where its text does not lead to it, so that most
-- writes of companies have one index entry less.

-- Load functions: tax_number, is_rare_tax_id, move_company_count, sends_automatically
create index concurrently if not exists companies_by_rare_tax_id
  on companies (tenant_id, (tax_number(tax_id) collate "C")) where deleted_at is null and is_rare_tax_id(tax_id);
-- Load functions: company_ids_by_tax_number, companies_with_keys, companies_after_update, warehouse_of_company
-- Load functions: invoices_before_insert, wms_jobs_of_created
drop index concurrently if exists companies_tax_number;
