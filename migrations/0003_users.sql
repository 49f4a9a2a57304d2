-- Users: how they sign in, who invited them, and their settings of lists.

create table users (
  tenant_id bigint not null references tenants (id), id bigserial not null,
  email text not null, name text not null,
  role text not null default 'member'
    constraint users_role_check
      check ((role in ('admin', 'member') and tenant_id > 0) or (role = 'operator' and tenant_id = 0)),
  -- Null: the user signs in by single sign-on (docs/decisions/0076-single-sign-on.md).
  password_hash text,
  deactivated_at timestamptz,
  created_at timestamptz not null default now(),
  -- As the tenant's. A deactivation and a new password raise it.
  session_epoch integer not null default 0,
  -- Null: the browser's.
  language text check (language in ('en', 'ro')),
  theme text not null default 'system' check (theme in ('light', 'dark', 'system')),
  -- The secret of the second factor, encrypted. It applies once it is confirmed.
  totp_secret text, totp_confirmed_at timestamptz,
  -- The step of 30 seconds whose code was used last. That code and earlier ones are used up.
  totp_last_step bigint,
  -- When another person switched the second factor off, and who: `user:3` or `command`.
  second_factor_reset_at timestamptz, second_factor_reset_by text,
  -- The last writer. An update that leaves `updated_at` as it is was made by a writer that gave no name.
  changed_by text, updated_at timestamptz not null default now(),
  -- When the user hid the first steps on the page of today.
  first_steps_hidden_at timestamptz,
  -- Since when the user has the daily mail (docs/decisions/0077-mail.md); null: not. And the last day that it was made
  -- for, in the workspace's time zone.
  digest_since timestamptz, digest_on date,
  primary key (tenant_id, id)
);
create unique index users_email on users (tenant_id, lower(email));
create index users_with_digest on users (tenant_id, id) where digest_since is not null;
call protect_tenant_table('users');
-- Load functions: user_ids_by_email
create trigger workspace_created after insert on users referencing new table as written
  for each statement execute function keep_workspace_history('user', 'name,email,role', 'deactivated_at,totp_confirmed_at');
create trigger workspace_updated after update on users referencing old table as overwritten new table as written
  for each statement execute function keep_workspace_history('user', 'name,email,role', 'deactivated_at,totp_confirmed_at');

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
  -- How the session began; null: by a password. And the identity provider's own name of it.
  signed_in_by text, provider_session text,
  primary key (tenant_id, id), foreign key (tenant_id, user_id) references users (tenant_id, id)
);
create index sessions_of_user on sessions (tenant_id, user_id);
-- It does not begin with the tenant, which only the token names, so it is not unique. 256 random bits are.
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
  -- Null: an operator or a command invited the first admin of a new tenant.
  invited_by bigint,
  created_at timestamptz not null, expires_at timestamptz not null,
  accepted_at timestamptz, revoked_at timestamptz,
  changed_by text, updated_at timestamptz not null default now(),
  -- The user who may choose a new password by the link of an invitation; null: the link makes a new user.
  for_user bigint,
  primary key (tenant_id, id),
  foreign key (tenant_id, invited_by) references users (tenant_id, id),
  foreign key (tenant_id, for_user) references users (tenant_id, id)
);
create unique index invitations_open on invitations (tenant_id, lower(email)) where accepted_at is null and revoked_at is null;
create index invitations_by_token on invitations (token_hash);
call protect_tenant_table('invitations');
-- Load functions: invitation_of_token
-- The history distinguishes links for new passwords from invitations.
create trigger workspace_created after insert on invitations referencing new table as written
  for each statement execute function keep_workspace_history('invitation', 'role,expires_at,for_user', 'accepted_at,revoked_at');
create trigger workspace_updated after update on invitations referencing old table as overwritten new table as written
  for each statement execute function keep_workspace_history('invitation', 'role,expires_at,for_user', 'accepted_at,revoked_at');

-- The passkeys of users (docs/decisions/0078-passkeys.md). Keys, ids and handles are base64url, as browsers send them.
create table passkeys (
  tenant_id bigint not null references tenants (id), id bigserial not null,
  user_id bigint not null,
  name text not null,
  credential_id text not null,
  -- The public key in the format of COSE.
  public_key text not null,
  -- Random, and the same for all passkeys of a user: the authenticator returns it.
  user_handle text not null,
  counter bigint not null,
  -- How a browser reaches the authenticator, with blanks between them.
  transports text not null default '',
  -- Whether the authenticator has verified its owner, by a PIN or a finger.
  verifies boolean not null,
  created_at timestamptz not null default now(), last_used_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, credential_id),
  foreign key (tenant_id, user_id) references users (tenant_id, id)
);
create index passkeys_of_user on passkeys (tenant_id, user_id);
-- It does not begin with the tenant, which only the passkey names. The handle's 256 random bits make it unique.
create index passkeys_by_credential on passkeys (credential_id);
call protect_tenant_table('passkeys');

-- The challenges that a passkey has answered, each once: as the SHA-256, until it expires.
create table passkey_challenges (
  tenant_id bigint not null references tenants (id), id bigserial not null,
  challenge_hash bytea not null, expires_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, challenge_hash)
);
create index passkey_challenges_by_age on passkey_challenges (tenant_id, expires_at);
call protect_tenant_table('passkey_challenges');

-- The identity provider of a workspace. A tenant has one row at most. The columns have a prefix, because the history of
-- the workspace has them among those of other settings.
create table single_sign_on (
  tenant_id bigint not null references tenants (id), id bigserial not null,
  sso_issuer text not null, sso_client_id text not null,
  -- Encrypted.
  sso_client_secret text not null,
  sso_secret_set_at timestamptz not null default now(),
  -- With blanks between them, in lower case.
  sso_domains text not null default '',
  -- Whether the provider's addresses of these domains count as verified without its claim.
  sso_trusts_addresses boolean not null default false,
  -- Whether everybody with an address of these domains becomes a member.
  sso_admits_domains boolean not null default false,
  -- The claim with a person's groups, and the group of admins. Without a group the roles are given here.
  sso_groups_claim text not null default 'groups', sso_admin_group text,
  sso_on boolean not null default false,
  -- Whether passwords are refused, except for the one of this admin.
  sso_only boolean not null default false, sso_break_glass bigint,
  -- When an admin signed in with these settings to try them; null since the provider, the client or the secret changed.
  sso_tried_at timestamptz,
  created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  changed_by text,
  primary key (tenant_id, id),
  unique (tenant_id),
  check (sso_on or not sso_only), check (sso_break_glass is not null or not sso_only),
  foreign key (tenant_id, sso_break_glass) references users (tenant_id, id)
);
call protect_tenant_table('single_sign_on');
create trigger single_sign_on_written
  after insert or update of sso_issuer, sso_client_id, sso_secret_set_at, sso_domains, sso_trusts_addresses,
    sso_admits_domains, sso_groups_claim, sso_admin_group, sso_on, sso_only, sso_break_glass on single_sign_on
  for each row execute function keep_row_history(
    'workspace', 'sso_issuer,sso_client_id,sso_secret_set_at,sso_domains,sso_trusts_addresses,sso_admits_domains,sso_groups_claim,sso_admin_group,sso_on,sso_only',
    'sso_break_glass', '{"sso_on": false, "sso_only": false, "sso_trusts_addresses": false, "sso_admits_domains": false, "sso_domains": "", "sso_groups_claim": "groups"}');

-- The account of a user at an identity provider. A user has one account at a provider, and an account one user.
create table single_sign_on_links (
  tenant_id bigint not null references tenants (id), id bigserial not null,
  user_id bigint not null, issuer text not null, subject text not null,
  created_at timestamptz not null default now(), last_used_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, issuer, subject), unique (tenant_id, user_id, issuer),
  foreign key (tenant_id, user_id) references users (tenant_id, id)
);
call protect_tenant_table('single_sign_on_links');

-- The messages of providers that end sessions, each once: as the SHA-256 of its id, until it expires.
create table single_sign_on_logouts (
  tenant_id bigint not null references tenants (id), id bigserial not null,
  message_hash bytea not null, expires_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, message_hash)
);
call protect_tenant_table('single_sign_on_logouts');

-- What each user opened last, newest first, as `company:7`. One row with a bounded list, so that opening something
-- costs the same at every length.
create table last_opened (
  tenant_id bigint not null references tenants (id),
  user_id bigint not null, opened text[] not null,
  primary key (tenant_id, user_id), foreign key (tenant_id, user_id) references users (tenant_id, id)
);
call protect_tenant_table('last_opened');

-- Filters of a list, saved under a name by one user, for this user or for all: a query string in one
-- spelling, so that the list recognises the view that it shows.
create table list_views (
  tenant_id bigint not null references tenants (id), id bigserial not null,
  user_id bigint not null,
  is_for_all boolean not null default false,
  name text not null, filters text not null,
  created_at timestamptz not null default now(),
  -- The list that the view belongs to, by the first part of its address.
  list text not null default 'companies',
  primary key (tenant_id, id), foreign key (tenant_id, user_id) references users (tenant_id, id)
);
create unique index list_views_own on list_views (tenant_id, user_id, list, name) where not is_for_all;
create unique index list_views_for_all on list_views (tenant_id, list, name) where is_for_all;
call protect_tenant_table('list_views');

-- The columns of a list that a user chose. Without a row the user sees the default ones.
create table list_columns (
  tenant_id bigint not null references tenants (id),
  user_id bigint not null,
  list text not null,
  columns text[] not null,
  primary key (tenant_id, user_id, list),
  foreign key (tenant_id, user_id) references users (tenant_id, id)
);
call protect_tenant_table('list_columns');

-- Load functions: passkey_of_credential
revoke all on function user_ids_by_email, session_of_token, invitation_of_token, passkey_of_credential from public;
grant execute on function user_ids_by_email, session_of_token, invitation_of_token, passkey_of_credential to liaison_app;
grant usage on all sequences in schema public to liaison_app;
