-- Up Migration

-- Files find a company by its fiscal id in any spelling (docs/web.md 11).
-- Load functions: tax_number, is_rare_tax_id, company_ids_by_tax_number
revoke all on function company_ids_by_tax_number from public;
grant execute on function company_ids_by_tax_number to liaison_app;
