-- Up Migration

-- Operators are the users of the installation's own workspace: the tenant 0, with an empty slug. Its row is made with
-- the first operator (docs/decisions/0029-signing-in.md). No other tenant can have an operator.
alter table tenants drop constraint if exists tenants_slug_check;
-- Brief: an installation has some thousand tenants.
alter table tenants add constraint tenants_slug_check
  check ((slug ~ '^[a-z0-9](-?[a-z0-9])*$' and length(slug) <= 63 and id > 0) or (slug = '' and id = 0));
alter table users drop constraint if exists users_role_check;
-- Brief: an installation has some thousand users.
alter table users add constraint users_role_check
  check ((role in ('admin', 'member') and tenant_id > 0) or (role = 'operator' and tenant_id = 0));

-- Requests reach no row of tenant 0, whatever tenant they name: only the owner of the tables does. New policies say so
-- from the beginning.
-- Load functions: protect_tenant_table
do $$
declare
  own constant text := '(NULLIF(current_setting(''app.tenant_id''::text, true), ''''::text))::bigint';
  policy record;
begin
  for policy in
    select polname, polrelid::regclass as of, pg_get_expr(polqual, polrelid) as seen, pg_get_expr(polwithcheck, polrelid) as written
    from pg_policy where polroles = array['liaison_app'::regrole::oid]
  loop
    continue when coalesce(policy.seen, policy.written) like '%NULLIF((NULLIF%';
    execute format('alter policy %I on %s', policy.polname, policy.of)
      || coalesce(' using (' || replace(policy.seen, own, format('nullif(%s, 0)', own)) || ')', '')
      || coalesce(' with check (' || replace(policy.written, own, format('nullif(%s, 0)', own)) || ')', '');
  end loop;
end $$;

-- Their second factors and passkeys come along; their sessions end. The addresses of operators are unique.
-- Brief: an installation has some operators.
insert into tenants (id, slug, name, time_zone)
select 0, '', 'operators', 'UTC' where exists (select from operators);
-- Brief: an installation has some operators.
insert into users (tenant_id, email, name, role, password_hash, created_at, totp_secret, totp_confirmed_at, totp_last_step)
select 0, email, name, 'operator', password_hash, created_at, totp_secret, totp_confirmed_at, totp_last_step from operators;
-- Brief: an installation has some operators.
insert into recovery_codes (tenant_id, user_id, code_hash)
select 0, u.id, c.code_hash
from operator_recovery_codes c
join operators o on o.id = c.operator_id
join users u on u.tenant_id = 0 and u.email = o.email;
insert into passkeys (tenant_id, user_id, name, credential_id, public_key, user_handle, counter, transports, verifies,
  created_at, last_used_at)
select 0, u.id, p.name, p.credential_id, p.public_key, p.user_handle, p.counter, p.transports, p.verifies,
  p.created_at, p.last_used_at
from operator_passkeys p
join operators o on o.id = p.operator_id
join users u on u.tenant_id = 0 and u.email = o.email;
drop table operator_passkey_challenges, operator_passkeys, operator_recovery_codes, operator_sessions, operators;
drop function if exists operator_session_of_token(bytea);
