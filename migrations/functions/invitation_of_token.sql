-- The tenant and the id of an invitation by its token: as for a session, the token alone identifies the tenant.
create or replace function invitation_of_token(hash bytea) returns table (tenant_id bigint, id bigint)
  language plpgsql stable security definer rows 1
  set search_path = pg_catalog, public, pg_temp as $$
begin
  return query select i.tenant_id, i.id from public.invitations i where i.token_hash = hash;
end
$$;
