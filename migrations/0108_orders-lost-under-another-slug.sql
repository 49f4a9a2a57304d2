-- Up Migration

-- The slug that a tenant's backup was taken under (docs/decisions/0060-tenants-beside-tenants.md): orders that were made of its invoices
-- since are named by it in their warehouses.
alter table tenants add column orders_lost_slug text;
