-- Up Migration

-- The list that a saved view belongs to, by the first part of its address.
alter table company_views add column list text not null default 'companies';

-- The columns of a list that a user chose. Without a row the user sees the default ones.
create table list_columns (
  tenant_id bigint not null references tenants (id),
  user_id bigint not null,
  list text not null,
  columns text[] not null,
  primary key (tenant_id, user_id, list)
);
call protect_tenant_table('list_columns');
alter table list_columns add foreign key (tenant_id, user_id) references users (tenant_id, id);
