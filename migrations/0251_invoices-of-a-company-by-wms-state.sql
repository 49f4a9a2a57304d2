-- Without a transaction: invoices have rows.
-- Up Migration

-- A company's invoices of one wms_state, in the order of its list.
create index concurrently if not exists invoices_of_company_by_wms_state on invoices
  (tenant_id, company_id, wms_state, issued_on desc nulls last, id desc);
