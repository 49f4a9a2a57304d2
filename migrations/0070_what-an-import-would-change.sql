-- Up Migration

-- A row that the check of an import would change: its name and its fields before and after, as JSON; encrypted.
create table import_changes (
  tenant_id bigint not null references tenants (id),
  id bigserial not null,
  import_id bigint not null,
  content text not null,
  primary key (tenant_id, id)
);
call protect_tenant_table('import_changes');
alter table import_changes add foreign key (tenant_id, import_id) references imports (tenant_id, id);
create index import_changes_in_order on import_changes (tenant_id, import_id, id);
grant usage on all sequences in schema public to liaison_app;

-- What the file has in the fields that were refused, as JSON by field; nothing of fields that are stored encrypted.
alter table import_rejections add column cells text;
