-- Without a transaction: all of a tenant's activities in the order of time, and those that a company's change is told with.
-- Up Migration

create index concurrently if not exists activities_by_time on activities (tenant_id, at, id);
create index concurrently if not exists activities_that_tell on activities (tenant_id, company_id, told_at);
