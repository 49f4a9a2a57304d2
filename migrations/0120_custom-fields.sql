-- The fields that a workspace defines for its own records. Their values are in the column `metadata` of the records.
-- Load functions: history_of_metadata, history_json, history_of_external_ids, keep_history, number_changes

create table custom_fields (
  tenant_id bigint not null references tenants (id), id bigserial not null,
  noun text not null check (noun in ('company', 'contact', 'invoice')),
  key text not null check (key ~ '^[a-z][a-z0-9_]{0,39}$'),
  label text not null,
  kind text not null check (kind in ('text', 'number', 'date', 'yes_no', 'choice')),
  -- Of a choice: JSON, as lists are stored.
  options text,
  help text,
  "position" integer not null,
  archived boolean not null default false, archived_at timestamptz,
  -- When the values of a deleted field were removed. Until then no other field gets its key.
  purged_at timestamptz,
  created_at timestamptz not null default now(), updated_at timestamptz not null default now(), deleted_at timestamptz,
  changed_by text,
  primary key (tenant_id, id)
);
create unique index custom_fields_key on custom_fields (tenant_id, noun, key) where purged_at is null;
create unique index custom_fields_label on custom_fields (tenant_id, noun, fold(label)) where deleted_at is null;
comment on column custom_fields.archived_at is 'history: hidden';
comment on column custom_fields.purged_at is 'history: hidden';
call protect_tenant_table('custom_fields');
call keep_history('custom_fields', 'custom_field');
grant usage on all sequences in schema public to liaison_app;

call keep_history('companies', 'company');
call keep_history('contacts', 'contact');
