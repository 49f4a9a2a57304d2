-- API keys, their uses, and the stored answers of their requests.

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
create trigger workspace_created after insert on api_keys referencing new table as written
  for each statement execute function keep_workspace_history('api_key', 'name,capabilities,expires_at', 'revoked_at');
create trigger workspace_updated after update on api_keys referencing old table as overwritten new table as written
  for each statement execute function keep_workspace_history('api_key', 'name,capabilities,expires_at', 'revoked_at');

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
  -- The answer, encrypted; null: it showed a contact who was erased later.
  secret text,
  at timestamptz not null default now(),
  -- The row's id, by which the answers about an erased person are found (docs/decisions/0065-erasing-a-person.md).
  resource_id bigint,
  primary key (tenant_id, id), unique (tenant_id, api_key_id, key)
);
create index kept_answers_by_age on kept_answers (tenant_id, at);
create index kept_answers_of_contacts on kept_answers (tenant_id, resource_id) where kind = 'contact';
call protect_tenant_table('kept_answers');
-- Load functions: claim_answers

grant usage on all sequences in schema public to liaison_app;
