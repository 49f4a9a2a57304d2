-- The installation: the role of requests, tenants, users, API keys and operators.

create extension if not exists unaccent;
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- Requests work as this role. It owns nothing, so row-level security applies to it. Roles belong to the cluster and not
-- to the database: another database of the cluster may have created it, or may be creating it now.
do $$
begin
  if not exists (select from pg_roles where rolname = 'liaison_app') then
    create role liaison_app nologin;
  end if;
exception
  when duplicate_object or unique_violation then null;
  when insufficient_privilege then
    raise insufficient_privilege using message = format(
      'the role %1$I may not create the role that requests work as; as a superuser run: create role liaison_app nologin; grant liaison_app to %1$I;',
      current_user);
end
$$;
-- The creator of a role is a member of it, but since PostgreSQL 16 may not set it without a grant.
do $$
begin
  if not pg_has_role('liaison_app', case when current_setting('server_version_num')::int < 160000 then 'member' else 'set' end) then
    execute format('grant liaison_app to %I', current_user);
  end if;
exception when insufficient_privilege then
  raise insufficient_privilege using message = format(
    'the role %1$I may not work as the role liaison_app; as a superuser run: grant liaison_app to %1$I;', current_user);
end
$$;
grant usage on schema public to liaison_app;

-- How text is compared.
-- Load functions: fold, search_pattern

-- What every tenant's table gets, and how its rows are looked up.
-- Load functions: plan_alike_for_tenants, protect_tenant_table, expect_nulls, moment_after

-- Facts about the installation, such as the check value of the encryption keys. Only the owner reads them.
create table settings (
  name text primary key,
  value text not null
);

create table tenants (
  id bigserial primary key,
  slug text not null unique check (slug ~ '^[a-z0-9](-?[a-z0-9])*$' and length(slug) <= 63),
  name text not null,
  country text not null default 'Romania',
  suspended_at timestamptz,
  created_at timestamptz not null default now(),
  -- A session of a smaller number is over. A suspension raises it, so that no session comes back when the tenant is
  -- resumed (docs/decisions/0029-signing-in.md).
  session_epoch integer not null default 0,
  time_zone text not null default 'Europe/Bucharest',
  -- When orders may have been lost last: the database was restored from a backup and the tenant had gone on behind it.
  -- An invoice of before that is looked up in its warehouse before it is sent.
  orders_lost_at timestamptz,
  -- From then on the tenant is deleted in steps and cannot be resumed (docs/decisions/0066-deleting-a-tenant.md).
  deleting_at timestamptz,
  -- The slug in the tenant's backup (docs/decisions/0060-tenants-beside-tenants.md): warehouses know orders that were
  -- made since by it.
  orders_lost_slug text
);
grant select on tenants to liaison_app;

create table users (
  tenant_id bigint not null references tenants (id), id bigserial not null,
  email text not null, name text not null,
  role text not null default 'member' check (role in ('admin', 'member')),
  password_hash text not null,
  deactivated_at timestamptz,
  created_at timestamptz not null default now(),
  -- As the tenant's. A deactivation and a new password raise it.
  session_epoch integer not null default 0,
  -- Null: the browser's.
  language text check (language in ('en', 'ro')),
  theme text not null default 'system' check (theme in ('light', 'dark', 'system')),
  -- The secret of the second factor, encrypted. It is in force from when it was confirmed.
  totp_secret text, totp_confirmed_at timestamptz,
  -- The step of 30 seconds whose code was used last. That code and earlier ones are used up.
  totp_last_step bigint,
  -- When another person switched the second factor off, and who: `user:3` or `command`.
  second_factor_reset_at timestamptz, second_factor_reset_by text,
  -- The last writer. An update that leaves `updated_at` as it is was made by a writer that gave no name.
  changed_by text, updated_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create unique index users_email on users (tenant_id, lower(email));
call protect_tenant_table('users');
-- Load functions: user_ids_by_email

create table sessions (
  tenant_id bigint not null references tenants (id), id bigserial not null,
  user_id bigint not null,
  -- The SHA-256 of the token in the cookie. The token itself is stored nowhere.
  token_hash bytea not null,
  tenant_epoch integer not null, user_epoch integer not null,
  -- The password was right, and the second factor is still to come.
  awaits_code boolean not null,
  address text not null, user_agent text not null,
  created_at timestamptz not null, last_seen_at timestamptz not null,
  primary key (tenant_id, id), foreign key (tenant_id, user_id) references users (tenant_id, id)
);
create index sessions_of_user on sessions (tenant_id, user_id);
-- It does not begin with the tenant, which only the token tells, so it is not unique. 256 random bits are.
create index sessions_by_token on sessions (token_hash);
call protect_tenant_table('sessions');
-- Load functions: session_of_token

-- Codes that replace a lost second factor, once each.
create table recovery_codes (
  tenant_id bigint not null references tenants (id), id bigserial not null,
  user_id bigint not null, code_hash bytea not null,
  primary key (tenant_id, id), foreign key (tenant_id, user_id) references users (tenant_id, id)
);
create index recovery_codes_of_user on recovery_codes (tenant_id, user_id);
call protect_tenant_table('recovery_codes');

create table invitations (
  tenant_id bigint not null references tenants (id), id bigserial not null,
  email text not null,
  role text not null check (role in ('admin', 'member')),
  -- The SHA-256 of the token in the link.
  token_hash bytea not null,
  invited_by bigint not null,
  created_at timestamptz not null, expires_at timestamptz not null,
  accepted_at timestamptz, revoked_at timestamptz,
  changed_by text, updated_at timestamptz not null default now(),
  primary key (tenant_id, id), foreign key (tenant_id, invited_by) references users (tenant_id, id)
);
create unique index invitations_open on invitations (tenant_id, lower(email)) where accepted_at is null and revoked_at is null;
create index invitations_by_token on invitations (token_hash);
call protect_tenant_table('invitations');
-- Load functions: invitation_of_token

-- What each user opened last, newest first, as `company:7`. One row with a bounded list, so that opening something
-- costs the same at every length.
create table last_opened (
  tenant_id bigint not null references tenants (id),
  user_id bigint not null, opened text[] not null,
  primary key (tenant_id, user_id), foreign key (tenant_id, user_id) references users (tenant_id, id)
);
call protect_tenant_table('last_opened');

create table api_keys (
  tenant_id bigint not null references tenants (id), id bigserial not null,
  name text not null,
  key_hash bytea not null, prefix text not null, last4 text not null,
  capabilities text[] not null,
  expires_at timestamptz,
  allow_ip text[] not null default '{}',
  -- Requests a minute; null: the default, 0: no limit.
  rate integer check (rate >= 0),
  created_by bigint, created_at timestamptz not null default now(),
  last_used_at timestamptz, revoked_at timestamptz,
  -- The address of the last request with the right key.
  last_used_from text,
  changed_by text, updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, key_hash),
  foreign key (tenant_id, created_by) references users (tenant_id, id)
);
call protect_tenant_table('api_keys');

-- When a key used each of its capabilities last, to the hour: a key can do without one that it never uses.
create table key_uses (
  tenant_id bigint not null references tenants (id),
  key_id bigint not null, capability text not null,
  last_used_at timestamptz not null,
  primary key (tenant_id, key_id, capability), foreign key (tenant_id, key_id) references api_keys (tenant_id, id)
);
call protect_tenant_table('key_uses');

-- The requests of each key by day. The day comes before the key, so that old rows are found without reading the others.
create table key_requests (
  tenant_id bigint not null references tenants (id),
  day date not null,
  key_id bigint not null, requests bigint not null,
  primary key (tenant_id, day, key_id), foreign key (tenant_id, key_id) references api_keys (tenant_id, id)
);
call protect_tenant_table('key_requests');

-- The answers of requests with an Idempotency-Key, each committed with its write (docs/decisions/0058-kept-answers.md).
create table kept_answers (
  -- No reference to tenants: the written row has one, and a second check would cost each write.
  tenant_id bigint not null, id bigserial not null,
  api_key_id bigint not null, key text not null,
  -- The SHA-256 of the method, the path and the bytes of the body.
  request bytea not null,
  status smallint not null,
  -- The type of the resource that the answer shows; null: it shows none.
  kind text,
  -- The row as the write returned it: PostgreSQL's text by column, as JSON, without nulls. The columns that are stored
  -- encrypted stand beside it.
  answer text,
  phone text, mobile text, secret text,
  at timestamptz not null default now(),
  -- The row's id, by which the answers about an erased person are found (docs/decisions/0065-erasing-a-person.md).
  resource_id bigint,
  primary key (tenant_id, id), unique (tenant_id, api_key_id, key)
);
create index kept_answers_by_age on kept_answers (tenant_id, at);
create index kept_answers_of_contacts on kept_answers (tenant_id, resource_id) where kind = 'contact';
call protect_tenant_table('kept_answers');
-- Load functions: claim_answers

-- Failed and running attempts to sign in, by what they have in common: an account (existing or not), a network, a
-- browser. As a hash, because people type passwords into every field. Without a tenant, because one network may guess
-- at many. Requests use its functions alone; their `moment` is the clock of the calling process.
create table sign_in_failures (
  subject bytea primary key,
  failures integer not null, failed_at timestamptz not null
);
-- Load functions: count_sign_in, forgive_sign_in, forget_sign_ins

-- The installation's own people, who belong to no tenant. Only the owner of the tables reads and writes them.
create table operators (
  id bigserial primary key,
  email text not null, name text not null,
  password_hash text not null,
  created_at timestamptz not null default now(),
  -- The second factor, as a user's.
  totp_secret text, totp_confirmed_at timestamptz, totp_last_step bigint
);
create unique index operators_email on operators (lower(email));

-- A removed operator's sessions go too, also one that begins at that moment.
create table operator_sessions (
  id bigserial primary key,
  operator_id bigint not null references operators (id) on delete cascade,
  token_hash bytea not null unique,
  address text not null, user_agent text not null,
  created_at timestamptz not null, last_seen_at timestamptz not null,
  awaits_code boolean not null default false
);

create table operator_recovery_codes (
  id bigserial primary key,
  operator_id bigint not null references operators (id) on delete cascade,
  code_hash bytea not null
);
create index operator_recovery_codes_of_operator on operator_recovery_codes (operator_id);

revoke all on function user_ids_by_email, session_of_token, invitation_of_token,
  count_sign_in, forgive_sign_in, forget_sign_ins from public;
grant execute on function user_ids_by_email, session_of_token, invitation_of_token,
  count_sign_in, forgive_sign_in, forget_sign_ins to liaison_app;
grant usage on all sequences in schema public to liaison_app;
