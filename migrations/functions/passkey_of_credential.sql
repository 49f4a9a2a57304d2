-- The tenant and the id of a passkey by what its authenticator returns: as for a session, it alone identifies the
-- tenant. Only the user's authenticators and this database know the handle, so nobody else can have such a row.
create or replace function passkey_of_credential(credential text, handle text) returns table (tenant_id bigint, id bigint)
  language plpgsql stable security definer rows 1
  set search_path = pg_catalog, public, pg_temp as $$
begin
  return query select p.tenant_id, p.id from public.passkeys p where p.credential_id = credential and p.user_handle = handle;
end
$$;
