-- Up Migration

-- An import has the list of the search index merged after a thousand companies, in 1.5 MB. The limit stays above that, for when
-- nobody does.
alter index companies_search set (gin_pending_list_limit = 2048);
