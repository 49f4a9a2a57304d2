-- The passkeys of operators, with the columns of users' (0360). Only the owner of the tables reads and writes them.
create table operator_passkeys (
  id bigserial primary key,
  operator_id bigint not null references operators (id) on delete cascade,
  name text not null,
  credential_id text not null unique,
  public_key text not null,
  user_handle text not null,
  counter bigint not null,
  transports text not null default '',
  verifies boolean not null,
  created_at timestamptz not null default now(), last_used_at timestamptz
);
create index operator_passkeys_of_operator on operator_passkeys (operator_id);

-- The challenges that they have answered, each once.
create table operator_passkey_challenges (
  challenge_hash bytea primary key,
  expires_at timestamptz not null
);
create index operator_passkey_challenges_by_age on operator_passkey_challenges (expires_at);
