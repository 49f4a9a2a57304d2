-- Without a transaction: the list for people is sorted by city. The city is the last part of the search text, folded.
create index concurrently if not exists companies_by_city on companies (tenant_id, split_part(search_text, E'\x1f', -1) collate "C", id)
  where deleted_at is null and city is not null;
