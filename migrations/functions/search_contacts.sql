-- At most `most` contacts of any company that match words typed by a person: the exact matches of find_contacts, and
-- the contacts of the companies that the text matches. It runs as the owner, as search_companies does.
create or replace function search_contacts(typed text, most integer) returns table (id bigint)
  language plpgsql stable security definer rows 100
  set search_path = pg_catalog, public, pg_temp
  set plan_cache_mode = force_custom_plan
  set enable_bitmapscan = off
  set enable_seqscan = off as $$
declare
  companies constant integer := 20;
  tenant bigint := nullif(current_setting('app.tenant_id', true), '')::bigint;
  company bigint;
  found bigint[];
begin
  found := array(select k.id from public.find_contacts(typed, most) k where k.is_exact);
  for company in select c.id from public.find_companies(typed, companies) c loop
    found := found || array(
      select k.id from public.contacts k
      where k.tenant_id = tenant and k.company_id = company and k.deleted_at is null order by k.id limit most
    );
  end loop;
  return query select distinct f from unnest(found) f limit most;
end
$$;
