-- Up Migration

-- Ends sessions for good: one that was begun under another number is none. A suspension raises the tenant's, a
-- deactivation and a new password the user's, so that nothing comes back afterwards, and a sign-in that was under way at
-- that moment begins nothing (docs/decisions/0029-signing-in.md).
alter table tenants add column session_epoch integer not null default 0;
alter table tenants add column time_zone text not null default 'Europe/Bucharest';

alter table users add column session_epoch integer not null default 0;
-- Null: as the browser asks.
alter table users add column language text;
alter table users add constraint users_language_check check (language in ('en', 'ro'));
alter table users add column theme text not null default 'system';
alter table users add constraint users_theme_check check (theme in ('light', 'dark', 'system'));
-- The second factor's secret, encrypted. It counts from when it was confirmed.
alter table users add column totp_secret text;
alter table users add column totp_confirmed_at timestamptz;
-- The step of 30 seconds whose code was used last: that code and those before it are used up.
alter table users add column totp_last_step bigint;

create table sessions (
  tenant_id bigint not null references tenants (id),
  id bigserial not null,
  user_id bigint not null,
  -- The SHA-256 of the token in the cookie, which is stored nowhere.
  token_hash bytea not null,
  tenant_epoch integer not null,
  user_epoch integer not null,
  -- The password was right and the second factor has not been asked yet.
  awaits_code boolean not null,
  address text not null,
  user_agent text not null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  primary key (tenant_id, id)
);
call protect_tenant_table('sessions');
alter table sessions add foreign key (tenant_id, user_id) references users (tenant_id, id);
create index sessions_of_user on sessions (tenant_id, user_id);
-- Not unique, because it does not begin with the tenant, whom only the token tells: 256 random bits are unique enough.
create index sessions_by_token on sessions (token_hash);
grant usage on all sequences in schema public to liaison_app;

-- A session's tenant and id by its token: all that is looked up before the tenant is known. It runs as the owner, past
-- row-level security, and tells nothing but the two ids.
create function session_of_token(hash bytea) returns table (tenant_id bigint, id bigint)
  language plpgsql stable security definer rows 1
  set search_path = pg_catalog, public, pg_temp
as $$
begin
  return query select s.tenant_id, s.id from public.sessions s where s.token_hash = hash;
end
$$;
revoke all on function session_of_token from public;
grant execute on function session_of_token to liaison_app;
