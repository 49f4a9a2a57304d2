-- Up Migration

-- Files of contacts, addresses and invoices may name their company by its name (docs/operations.md 4).
-- Load functions: fold, company_ids_by_name
revoke all on function company_ids_by_name from public;
grant execute on function company_ids_by_name to liaison_app;
