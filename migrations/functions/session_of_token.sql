-- A session's tenant and id, the only data that is read before the tenant is known. It runs as the owner, and returns
-- only the ids.
create or replace function session_of_token(hash bytea) returns table (tenant_id bigint, id bigint)
  language plpgsql stable security definer rows 1
  set search_path = pg_catalog, public, pg_temp as $$
begin
  return query select s.tenant_id, s.id from public.sessions s where s.token_hash = hash;
end
$$;
