-- Up Migration

-- What each user opened last, newest first, as `company:7`. One row of a bounded list, so that opening something costs the same however much one opens.
create table last_opened (
  tenant_id bigint not null references tenants (id),
  user_id bigint not null,
  opened text[] not null,
  primary key (tenant_id, user_id)
);
call protect_tenant_table('last_opened');
alter table last_opened add foreign key (tenant_id, user_id) references users (tenant_id, id);
