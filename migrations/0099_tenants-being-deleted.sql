-- Up Migration

-- Since when a tenant is being deleted, step by step (docs/decisions/0066-deleting-a-tenant.md): from then on it cannot be resumed.
alter table tenants add column deleting_at timestamptz;
