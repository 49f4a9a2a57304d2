-- Up Migration

-- The requests of each key, by the day. The day stands before the key, so that what is too old is found without reading the rest.
create table key_requests (
  tenant_id bigint not null references tenants (id),
  day date not null,
  key_id bigint not null,
  requests bigint not null,
  primary key (tenant_id, day, key_id)
);
call protect_tenant_table('key_requests');
alter table key_requests add foreign key (tenant_id, key_id) references api_keys (tenant_id, id);
