-- The ids of a token's session and operator: the only data about them that requests may read.
create or replace function operator_session_of_token(hash bytea) returns table (id bigint, operator_id bigint)
  language plpgsql stable security definer rows 1
  set search_path = pg_catalog, public, pg_temp as $$
begin
  return query select s.id, s.operator_id from public.operator_sessions s where s.token_hash = hash;
end
$$;
