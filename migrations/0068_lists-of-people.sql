-- Up Migration

-- The people of all companies by their names, as one writes them, and by when they were spoken to.
create index contacts_by_name on contacts (tenant_id, (fold(first_name || ' ' || last_name) collate "C"), id) where deleted_at is null;
create index contacts_by_last_name on contacts (tenant_id, (fold(last_name || ' ' || first_name) collate "C")) where deleted_at is null;
create index contacts_by_email on contacts (tenant_id, (fold(email) collate "C")) where deleted_at is null and email is not null;
create index contacts_by_last_contact on contacts (tenant_id, last_contacted_at desc nulls last, id desc) where deleted_at is null;

-- The contacts that a person means by some words, of whatever company, `most` at most: those whose name or e-mail begins with the text,
-- whichever of the two names is written first; of the newest 2,000 those that have every word as a part of a word; and the people of
-- the companies that the text means. Nothing is counted, and each step reads a bounded part of the tenant. As search_companies it
-- runs as the owner, filters by the transaction's tenant itself, and takes no tenant from its caller.
create or replace function search_contacts(typed text, most integer) returns table (id bigint)
  language plpgsql stable security definer rows 100
  set search_path = pg_catalog, public, pg_temp
  set plan_cache_mode = force_custom_plan
  set enable_bitmapscan = off
  set enable_seqscan = off
as $$
declare
  newest constant integer := 2000;
  companies constant integer := 20;
  tenant bigint := nullif(current_setting('app.tenant_id', true), '')::bigint;
  beginning text := nullif(public.fold(typed), '');
  behind text := beginning || chr(1114111);
  patterns text[] := array(
    select public.search_pattern(w) from regexp_split_to_table(beginning, '\s+') w where w <> '' limit 8);
  company bigint;
  found bigint[];
begin
  if beginning is null or cardinality(patterns) = 0 then return; end if;
  found := array(
    select k.id from public.contacts k
    where k.tenant_id = tenant and k.deleted_at is null
      and public.fold(k.first_name || ' ' || k.last_name) collate "C" >= beginning
      and public.fold(k.first_name || ' ' || k.last_name) collate "C" <= behind
    order by public.fold(k.first_name || ' ' || k.last_name) collate "C" limit most
  ) || array(
    select k.id from public.contacts k
    where k.tenant_id = tenant and k.deleted_at is null
      and public.fold(k.last_name || ' ' || k.first_name) collate "C" >= beginning
      and public.fold(k.last_name || ' ' || k.first_name) collate "C" <= behind
    order by public.fold(k.last_name || ' ' || k.first_name) collate "C" limit most
  ) || array(
    select k.id from public.contacts k
    where k.tenant_id = tenant and k.deleted_at is null and k.email is not null
      and public.fold(k.email) collate "C" >= beginning and public.fold(k.email) collate "C" <= behind
    order by public.fold(k.email) collate "C" limit most
  ) || array(
    select sample.id from (
      select k.id, public.fold(k.first_name || ' ' || k.last_name || E'\x1f' || coalesce(k.email, '')) as folded
      from public.contacts k where k.tenant_id = tenant and k.deleted_at is null order by k.id desc limit newest
    ) sample where sample.folded like all (patterns) limit most
  );
  for company in select c.id from public.find_companies(typed, companies) c loop
    found := found || array(
      select k.id from public.contacts k
      where k.tenant_id = tenant and k.company_id = company and k.deleted_at is null order by k.id limit most
    );
  end loop;
  return query select distinct f from unnest(found) f limit most;
end
$$;
revoke all on function search_contacts from public;
grant execute on function search_contacts to liaison_app;

-- Companies by when they are to be called; few are.
create index companies_to_call on companies (tenant_id, callback_date, id) where deleted_at is null and callback_date is not null;
