-- Up Migration

-- The ids that other systems gave to resources: {"source": "id"}, null if there are none. The column is the truth. The
-- table below follows it by triggers, makes the ids of live resources unique, and finds a resource by its id.
alter table companies add column external jsonb;
alter table contacts add column external jsonb;
alter table addresses add column external jsonb;
alter table invoices add column external jsonb;

create table external_ids (
  -- No reference to tenants: the resource has one.
  tenant_id bigint not null,
  type text collate "C" not null,
  source text collate "C" not null,
  external_id text collate "C" not null,
  resource_id bigint not null,
  primary key (tenant_id, type, source, external_id)
);
call protect_tenant_table('external_ids');

-- Load functions: merge_external_ids, claim_external_ids, release_external_ids, keep_external_ids, hide_external_ids
create trigger external_created after insert on companies for each row
  when (new.external is not null and new.deleted_at is null) execute function keep_external_ids('company');
create trigger external_updated after update of external on companies for each row
  when (new.external is distinct from old.external and new.deleted_at is null and old.deleted_at is null)
  execute function keep_external_ids('company');
create trigger external_removed after delete on companies for each row
  when (old.external is not null) execute function keep_external_ids('company');
create trigger external_hidden before update of deleted_at on companies for each row
  when ((new.deleted_at is null) <> (old.deleted_at is null)) execute function hide_external_ids('company');

create trigger external_created after insert on contacts for each row
  when (new.external is not null and new.deleted_at is null) execute function keep_external_ids('contact', 'of company');
create trigger external_updated after update of external on contacts for each row
  when (new.external is distinct from old.external and new.deleted_at is null and old.deleted_at is null)
  execute function keep_external_ids('contact', 'of company');
create trigger external_removed after delete on contacts for each row
  when (old.external is not null) execute function keep_external_ids('contact');
create trigger external_hidden before update of deleted_at on contacts for each row
  when ((new.deleted_at is null) <> (old.deleted_at is null) and new.external is not null)
  execute function hide_external_ids('contact');

create trigger external_created after insert on addresses for each row
  when (new.external is not null and new.deleted_at is null) execute function keep_external_ids('address', 'of company');
create trigger external_updated after update of external on addresses for each row
  when (new.external is distinct from old.external and new.deleted_at is null and old.deleted_at is null)
  execute function keep_external_ids('address', 'of company');
create trigger external_removed after delete on addresses for each row
  when (old.external is not null) execute function keep_external_ids('address');
create trigger external_hidden before update of deleted_at on addresses for each row
  when ((new.deleted_at is null) <> (old.deleted_at is null) and new.external is not null)
  execute function hide_external_ids('address');

create trigger external_created after insert on invoices for each row
  when (new.external is not null) execute function keep_external_ids('invoice');
create trigger external_updated after update of external on invoices for each row
  when (new.external is distinct from old.external) execute function keep_external_ids('invoice');
create trigger external_removed after delete on invoices for each row
  when (old.external is not null) execute function keep_external_ids('invoice');
-- Another external id is another version of the invoice, as for the fields of the trigger `edited`.
create trigger external_edited before update of external on invoices for each row
  when (new.external is distinct from old.external) execute function mark_edited();

-- Load functions: keep_history, history_json, history_of_external_ids
call keep_history('companies', 'company', encrypted => '{phone}', hidden =>
  '{wms_api_key,wms_key_set_at,wms_key_set_by,wms_key_refused_at,wms_send_automatically,wms_former_checked_at,wms_never,last_contacted_at}');
call keep_history('contacts', 'contact', encrypted => '{phone,mobile}', hidden => '{}');
call keep_history('addresses', 'address', encrypted => '{phone}', hidden => '{}');
call keep_history('invoices', 'invoice', encrypted => '{lines}', hidden =>
  '{wms_state,wms_error,wms_attempt,wms_synced_at,wms_updated_at,wms_open_since,wms_open_instance,wms_open_source,wms_absent_at,wms_trace,wms_poll_at,wms_poll_every,wms_owns_order,wms_is_final,wms_moved_at,edited_at,wms_checked_at}');
