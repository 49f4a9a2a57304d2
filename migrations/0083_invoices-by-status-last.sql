-- Up Migration

-- Made anew behind invoices_of_company_by_date (0082): where both promise as little, PostgreSQL takes the one that was made last, and a
-- list of one status reads no other status by this one.
drop index invoices_of_company_by_status;
create index invoices_of_company_by_status on invoices (tenant_id, company_id, status, issued_on desc nulls last, id desc);
