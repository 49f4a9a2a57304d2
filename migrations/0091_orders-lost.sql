-- Up Migration

-- When orders of the tenant may have been lost last: the database was restored from a backup behind which it had gone on. An invoice of
-- before that is looked up in its warehouse before it is sent. Null: none were.
alter table tenants add column orders_lost_at timestamptz;
