-- Without a transaction: an index beside requests. A deleted company finds the external ids that are hidden with it.
-- Up Migration

create index concurrently if not exists contacts_with_external_ids on contacts (tenant_id, company_id)
  where external is not null;
