-- Without a transaction: an index beside requests, as for contacts.
-- Up Migration

create index concurrently if not exists addresses_with_external_ids on addresses (tenant_id, company_id)
  where external is not null;
