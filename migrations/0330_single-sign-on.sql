-- Up Migration

-- People who come by single sign-on need no password (docs/decisions/0076-single-sign-on.md).
alter table users alter column password_hash drop not null;

-- How the session began; null: by a password. `provider_session` is the identity provider's own name of it.
alter table sessions add column signed_in_by text;
alter table sessions add column provider_session text;

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
  check (sso_on or not sso_only), check (sso_break_glass is not null or not sso_only)
);
call protect_tenant_table('single_sign_on');
alter table single_sign_on add foreign key (tenant_id, sso_break_glass) references users (tenant_id, id);

-- The account of a user at an identity provider. A user has one account at a provider, and an account one user.
create table single_sign_on_links (
  tenant_id bigint not null references tenants (id), id bigserial not null,
  user_id bigint not null, issuer text not null, subject text not null,
  created_at timestamptz not null default now(), last_used_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, issuer, subject), unique (tenant_id, user_id, issuer)
);
call protect_tenant_table('single_sign_on_links');
alter table single_sign_on_links add foreign key (tenant_id, user_id) references users (tenant_id, id);

-- The messages of providers that end sessions, each once: as the SHA-256 of its id, until it expires.
create table single_sign_on_logouts (
  tenant_id bigint not null references tenants (id), id bigserial not null,
  message_hash bytea not null, expires_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, message_hash)
);
call protect_tenant_table('single_sign_on_logouts');
grant usage on all sequences in schema public to liaison_app;

-- The triggers of its history: 0392.
