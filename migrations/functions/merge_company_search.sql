-- PostgreSQL keeps what a write adds to the trigram index in a list and merges the list when it is long, at the cost of
-- the write that made it so: 20 to 40 ms. The program has it merged before that, beside the writes, by this function; the
-- limit is for when it does not. Only the owner of an index may do this.
create or replace function merge_company_search() returns void
  language sql security definer
  set search_path = pg_catalog, public, pg_temp
as $$
  select gin_clean_pending_list('public.companies_search'::regclass);
$$;
