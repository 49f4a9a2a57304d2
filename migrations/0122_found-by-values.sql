-- The values of custom fields that live records are found by: triggers write them.
-- Load functions: value_entry, write_custom_values, keep_external_ids, companies_after_insert
-- Load functions: move_company_count, companies_after_update

create table value_entries (
  -- No reference to tenants: the record has one.
  tenant_id bigint not null,
  record_id bigint not null,
  -- By value_entry.
  entry text collate "C" not null,
  primary key (tenant_id, entry, record_id)
);
call protect_tenant_table('value_entries');

create or replace trigger after_insert after insert on companies for each row
  when ((new.external is not null and new.deleted_at is null) or new.callback_date is not null or new.metadata is not null)
  execute function companies_after_insert();
create or replace trigger after_update
  after update of status, deleted_at, external, metadata, wms_key_set_at, wms_send_automatically, wms_former_checked_at, wms_never
  on companies for each row
  when (old.status is distinct from new.status or old.deleted_at is distinct from new.deleted_at
    or old.external is distinct from new.external or old.metadata is distinct from new.metadata
    or old.wms_key_set_at is distinct from new.wms_key_set_at
    or old.wms_send_automatically is distinct from new.wms_send_automatically
    or old.wms_former_checked_at is distinct from new.wms_former_checked_at
    or old.wms_never is distinct from new.wms_never)
  execute function companies_after_update();
create or replace trigger external_removed after delete on companies for each row
  when (old.external is not null or old.metadata is not null)
  execute function keep_external_ids('company', '', 'with values');

create or replace trigger external_created after insert on contacts for each row
  when ((new.external is not null or new.metadata is not null) and new.deleted_at is null)
  execute function keep_external_ids('contact', 'of company', 'with values');
create or replace trigger external_updated after update of external, metadata, deleted_at on contacts for each row
  when ((new.external is distinct from old.external and new.deleted_at is null and old.deleted_at is null)
    or (new.metadata is distinct from old.metadata)
    or (new.deleted_at is distinct from old.deleted_at and new.metadata is not null))
  execute function keep_external_ids('contact', 'of company', 'with values');
create or replace trigger external_removed after delete on contacts for each row
  when (old.external is not null or old.metadata is not null)
  execute function keep_external_ids('contact', '', 'with values');
