-- Up Migration

-- An import by the pages (docs/decisions/0033-imports-on-pages.md). Its file, what it did to which row and what it refused are
-- kept for thirty days, so that whichever worker has its job can go on with it and take it back; the row itself stays.
create table imports (
  tenant_id bigint not null references tenants (id),
  id bigserial not null,
  kind text not null,
  file_name text not null,
  bytes bigint not null default 0,
  state text not null default 'uploading' check (
    state in ('uploading', 'checking', 'checked', 'running', 'done', 'cancelled', 'failed', 'undoing', 'undone')
  ),
  -- Why it failed, as a word.
  failure text,
  -- The attempt at its job that may write it: another one that comes back too late changes nothing.
  runner text,
  -- The rows of its file; null until they are counted.
  total integer,
  -- What became of them so far: first in the check, which writes nothing, then in the import itself. The unchanged are
  -- among the updated.
  created integer not null default 0,
  updated integer not null default 0,
  unchanged integer not null default 0,
  rejected integer not null default 0,
  -- The rows of the file before this line are written.
  next_line integer not null default 1,
  -- What became of the rows that it wrote when it was undone.
  deleted integer not null default 0,
  restored integer not null default 0,
  kept integer not null default 0,
  created_by bigint not null,
  created_at timestamptz not null default now(),
  started_by bigint,
  started_at timestamptz,
  finished_at timestamptz,
  cancelled_by bigint,
  undone_by bigint,
  undone_at timestamptz,
  -- When its file and all that is known of single rows was removed.
  forgotten_at timestamptz,
  primary key (tenant_id, id)
);
call protect_tenant_table('imports');
alter table imports add foreign key (tenant_id, created_by) references users (tenant_id, id);
alter table imports add foreign key (tenant_id, started_by) references users (tenant_id, id);
alter table imports add foreign key (tenant_id, cancelled_by) references users (tenant_id, id);
alter table imports add foreign key (tenant_id, undone_by) references users (tenant_id, id);

-- The file, piece by piece in the order of the ids; encrypted, because it has phone numbers.
create table import_chunks (
  tenant_id bigint not null references tenants (id),
  id bigserial not null,
  import_id bigint not null,
  content text not null,
  primary key (tenant_id, id)
);
call protect_tenant_table('import_chunks');
alter table import_chunks add foreign key (tenant_id, import_id) references imports (tenant_id, id);
create index import_chunks_in_order on import_chunks (tenant_id, import_id, id);

-- A row of the file that is refused: by the check, or (`is_final`) by the import itself.
create table import_rejections (
  tenant_id bigint not null references tenants (id),
  id bigserial not null,
  import_id bigint not null,
  is_final boolean not null,
  line integer not null,
  -- JSON: the messages by field.
  errors text not null,
  primary key (tenant_id, id),
  unique (tenant_id, import_id, is_final, line)
);
call protect_tenant_table('import_rejections');
alter table import_rejections add foreign key (tenant_id, import_id) references imports (tenant_id, id);

-- A row of the kind's table that the import created or changed.
create table import_rows (
  tenant_id bigint not null references tenants (id),
  id bigserial not null,
  import_id bigint not null,
  resource_id bigint not null,
  is_created boolean not null,
  -- Its updated_at before and after. Where it has another one now, somebody has changed it since.
  version_before timestamptz,
  version timestamptz not null,
  -- What an updated row was before, as JSON; encrypted.
  before text,
  -- Whether somebody else changed it between two rows of the file that are about it.
  is_interrupted boolean not null default false,
  -- Once the import is undone: 'deleted', 'restored', or why it was left as it is.
  outcome text,
  primary key (tenant_id, id),
  unique (tenant_id, import_id, resource_id)
);
call protect_tenant_table('import_rows');
alter table import_rows add foreign key (tenant_id, import_id) references imports (tenant_id, id);
create index import_rows_to_undo on import_rows (tenant_id, import_id, id) where outcome is null;
grant usage on all sequences in schema public to liaison_app;
