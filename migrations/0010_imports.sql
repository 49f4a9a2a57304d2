-- Imports by the pages (docs/decisions/0033-imports-on-pages.md). The file, the written rows and the rejections are
-- stored for thirty days, so that any worker can go on with an import and undo it. The import's own row stays.

create table imports (
  tenant_id bigint not null references tenants (id), id bigserial not null,
  kind text not null, file_name text not null,
  bytes bigint not null default 0,
  -- `mapping`: the header names too little, and a person has to say which column is which field.
  state text not null default 'uploading' check (
    state in ('uploading', 'mapping', 'checking', 'checked', 'running', 'done', 'cancelled', 'failed', 'undoing', 'undone')
  ),
  -- Why it failed, as a code.
  failure text,
  -- The attempt at its job that may write it: an attempt that comes back too late changes nothing.
  runner text,
  -- The rows of its file; null until they are counted.
  total integer,
  -- Their outcomes up to now: first of the check, which writes nothing, then of the import itself. The unchanged are
  -- among the updated.
  created integer not null default 0, updated integer not null default 0,
  unchanged integer not null default 0, rejected integer not null default 0,
  -- The rows of the file before this line are written.
  next_line integer not null default 1,
  -- The outcomes of its rows when it was undone.
  deleted integer not null default 0, restored integer not null default 0, kept integer not null default 0,
  created_by bigint not null, created_at timestamptz not null default now(),
  started_by bigint, started_at timestamptz, finished_at timestamptz,
  cancelled_by bigint, undone_by bigint, undone_at timestamptz,
  -- When its file and everything about single rows was removed.
  forgotten_at timestamptz,
  -- The bytes of its file in import_chunks, in whole pieces: a tenant's files share a quota. 0 when the file is
  -- removed.
  stored_bytes bigint not null default 0,
  -- Attempts in a row that ended without a report and without progress, and the rows with an outcome when the last one
  -- began.
  deaths integer not null default 0, reached bigint not null default 0,
  -- How its file is read: the encoding, the delimiter, and whether an empty cell empties a field.
  encoding text not null default 'utf-8', delimiter text not null default ',', clears_empty boolean not null default true,
  -- The field of each column of the file, by position, as JSON; null: the header names them.
  columns text,
  -- The language that the file's numbers and days are read in. The command line has none: its files are as documented.
  language text,
  -- How the file is read beyond that: the line of its header, the meanings of words, the sheets of a workbook; JSON.
  reading text,
  -- The words of the file that its enumerated fields do not have, as the check counted them; JSON.
  unknown_words text,
  primary key (tenant_id, id),
  foreign key (tenant_id, created_by) references users (tenant_id, id),
  foreign key (tenant_id, started_by) references users (tenant_id, id),
  foreign key (tenant_id, cancelled_by) references users (tenant_id, id),
  foreign key (tenant_id, undone_by) references users (tenant_id, id)
);
create index imports_with_files on imports (tenant_id, stored_bytes) where stored_bytes > 0;
call protect_tenant_table('imports');

-- The file, in pieces in the order of the ids; encrypted, because it has phone numbers.
create table import_chunks (
  tenant_id bigint not null references tenants (id), id bigserial not null,
  import_id bigint not null,
  content text not null,
  -- 'rows': the file as it is read. 'workbook': the workbook that those rows came from. 'skipped': cells of skipped
  -- rows. 'corrected': the same, as a person corrected them.
  part text not null default 'rows',
  primary key (tenant_id, id), foreign key (tenant_id, import_id) references imports (tenant_id, id)
);
create index import_chunks_in_order on import_chunks (tenant_id, import_id, id);
call protect_tenant_table('import_chunks');

-- A rejected row of the file: rejected by the check, or (`is_final`) by the import itself.
create table import_rejections (
  tenant_id bigint not null references tenants (id), id bigserial not null,
  import_id bigint not null,
  is_final boolean not null,
  line integer not null,
  -- JSON: the messages by field.
  errors text not null,
  -- The file's text of the rejected fields, as JSON by field; without fields that are stored encrypted.
  cells text,
  primary key (tenant_id, id),
  unique (tenant_id, import_id, is_final, line),
  foreign key (tenant_id, import_id) references imports (tenant_id, id)
);
call protect_tenant_table('import_rejections');

-- A row that the import created or changed.
create table import_rows (
  tenant_id bigint not null references tenants (id), id bigserial not null,
  import_id bigint not null,
  resource_id bigint not null,
  is_created boolean not null,
  -- Its updated_at before and after. If it has another one now, the row was changed since.
  version_before timestamptz, version timestamptz not null,
  -- An updated row as it was before, as JSON; encrypted.
  before text,
  -- Whether another writer changed it between two rows of the file about it.
  is_interrupted boolean not null default false,
  -- When the import is undone: 'deleted', 'restored', or why the row was left as it is.
  outcome text,
  primary key (tenant_id, id),
  unique (tenant_id, import_id, resource_id),
  foreign key (tenant_id, import_id) references imports (tenant_id, id)
);
create index import_rows_to_undo on import_rows (tenant_id, import_id, id) where outcome is null;
call protect_tenant_table('import_rows');

-- A row that the check of an import would change: its name and its fields before and after, as JSON; encrypted.
create table import_changes (
  tenant_id bigint not null references tenants (id), id bigserial not null,
  import_id bigint not null,
  content text not null,
  primary key (tenant_id, id), foreign key (tenant_id, import_id) references imports (tenant_id, id)
);
create index import_changes_in_order on import_changes (tenant_id, import_id, id);
call protect_tenant_table('import_changes');

-- The fields of columns by their names, as a person mapped them last; JSON.
create table import_mappings (
  tenant_id bigint not null references tenants (id),
  kind text not null, mapping text not null,
  -- The values of words by field, as a person mapped them last; JSON.
  words text,
  primary key (tenant_id, kind)
);
call protect_tenant_table('import_mappings');

grant usage on all sequences in schema public to liaison_app;
