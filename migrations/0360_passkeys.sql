-- Up Migration

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
  unique (tenant_id, credential_id)
);
create index passkeys_of_user on passkeys (tenant_id, user_id);
-- It does not begin with the tenant, which only the passkey tells. The handle's 256 random bits make it unique.
create index passkeys_by_credential on passkeys (credential_id);
call protect_tenant_table('passkeys');
alter table passkeys add foreign key (tenant_id, user_id) references users (tenant_id, id);

-- The challenges that a passkey has answered, each once: as the SHA-256, until it expires.
create table passkey_challenges (
  tenant_id bigint not null references tenants (id), id bigserial not null,
  challenge_hash bytea not null, expires_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, challenge_hash)
);
create index passkey_challenges_by_age on passkey_challenges (tenant_id, expires_at);
call protect_tenant_table('passkey_challenges');
grant usage on all sequences in schema public to liaison_app;

-- Load functions: passkey_of_credential
revoke all on function passkey_of_credential from public;
grant execute on function passkey_of_credential to liaison_app;
