-- Without a transaction: invoices have rows.
-- Up Migration

-- The conditions of needs are in the index, so counting needs reads nothing else. Without them PostgreSQL reads all
-- orders that move (invoices_of_company_moving), and sorts those in need.
create index concurrently if not exists invoices_needing on invoices (tenant_id, wms_needs_at)
  include (wms_shown, wms_settled_at, wms_put_off_until) where wms_needs_at is not null;
drop index concurrently if exists invoices_in_need;
