-- Without a transaction: activities by the words of their notes. The tenant is there for the planner: the index answers
-- the whole condition, so no index of the tenant alone is read beside it. Without a list of pending entries, because a
-- search would read all of it.
-- Up Migration

create index concurrently if not exists activities_by_words on activities
  using gin (activity_words(tenant_id, note), tenant_id) with (fastupdate = off) where note is not null;
