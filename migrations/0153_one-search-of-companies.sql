-- Up Migration

-- A search of companies has its order as parameters: one function does it for every order, and so do both ways of searching.
drop function if exists search_companies(text, text, bigint, bigint, bigint),
  search_companies_by_walk(bigint, text, text, bigint, bigint, bigint),
  search_companies_by_trigram(bigint, text, text, bigint, bigint, bigint),
  search_companies_sorted(text, text, bigint, boolean, boolean, bigint, bigint),
  search_companies_sorted_by_walk(bigint, text, text, bigint, text, bigint, bigint),
  search_companies_sorted_by_trigram(bigint, text, text, bigint, text, bigint, bigint);
-- Load functions: search_companies_by_walk, search_companies_by_trigram, search_companies
revoke all on function search_companies, search_companies_by_walk, search_companies_by_trigram from public;
grant execute on function search_companies to liaison_app;
