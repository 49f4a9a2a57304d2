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

-- The field of each column of the file, by its place, as JSON; null: the header names them.
alter table imports add column columns text;
-- A file whose header names too little waits for somebody who says which column is which field.
alter table imports drop constraint imports_state_check;
alter table imports add constraint imports_state_check check (
  state in ('uploading', 'mapping', 'checking', 'checked', 'running', 'done', 'cancelled', 'failed', 'undoing', 'undone')
);
-- The fields of columns by their names, as somebody mapped them last; JSON.
create table import_mappings (
  tenant_id bigint not null references tenants (id),
  kind text not null,
  mapping text not null,
  primary key (tenant_id, kind)
);
call protect_tenant_table('import_mappings');
