-- Up Migration

-- Companies by when they were last spoken to. Creating one writes no entry, and neither does an import.
create index companies_by_last_contact on companies (tenant_id, last_contacted_at, id)
  where deleted_at is null and last_contacted_at is not null;

-- Companies by when they were changed, from their history (docs/decisions/0053-narrowed-lists.md): in an index of updated_at itself no
-- update of a company could leave the other indexes alone.
create index changes_of_companies_in_time on changes (tenant_id, at, resource_id) where type in ('company', 'connection');
