-- Up Migration

-- When a key last used each of its capabilities, to the hour: a key that never uses one can do without it.
create table key_uses (
  tenant_id bigint not null references tenants (id),
  key_id bigint not null,
  capability text not null,
  last_used_at timestamptz not null,
  primary key (tenant_id, key_id, capability)
);
call protect_tenant_table('key_uses');
alter table key_uses add foreign key (tenant_id, key_id) references api_keys (tenant_id, id);

-- The address of the last request whose key was right.
alter table api_keys add column last_used_from text;
