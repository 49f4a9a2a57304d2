-- Up Migration

-- A view of one list may have the name of a view of another list. The previous release knows these indexes by their
-- names, so the names stay.
-- Brief: a user has at most 20 views, and a workspace at most 50 for everybody.
drop index company_views_own;
-- Brief: the same.
create unique index company_views_own on company_views (tenant_id, user_id, list, name) where not is_for_all;
-- Brief: the same.
drop index company_views_for_all;
-- Brief: the same.
create unique index company_views_for_all on company_views (tenant_id, list, name) where is_for_all;
