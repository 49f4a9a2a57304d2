-- Without a transaction: phones by their second number, and by those behind it. Few fields have one. The tenant is
-- there for the planner: the index answers the whole condition. Without a list of pending entries, because a search
-- would read all of it.
-- Up Migration

create index concurrently if not exists companies_by_further_phone on companies
  using gin (phone_endings(tenant_id, phone), tenant_id) with (fastupdate = off)
  where deleted_at is null and split_part(phone, '=', 3) <> '';
create index concurrently if not exists contacts_by_further_phone on contacts
  using gin (phone_endings(tenant_id, phone), tenant_id) with (fastupdate = off)
  where deleted_at is null and split_part(phone, '=', 3) <> '';
create index concurrently if not exists contacts_by_further_mobile on contacts
  using gin (phone_endings(tenant_id, mobile), tenant_id) with (fastupdate = off)
  where deleted_at is null and split_part(mobile, '=', 3) <> '';
create index concurrently if not exists addresses_by_further_phone on addresses
  using gin (phone_endings(tenant_id, phone), tenant_id) with (fastupdate = off)
  where deleted_at is null and split_part(phone, '=', 3) <> '';
