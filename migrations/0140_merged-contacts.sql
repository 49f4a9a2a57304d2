-- Load functions: keep_history, hide_external_ids, write_former_ids, companies_before_update

-- As of companies (0100): the contact that this one was merged into, and the external ids by which it is found too.
alter table contacts add column merged_into bigint;
alter table contacts add column former_ids jsonb;
comment on column contacts.former_ids is 'history: hidden';
call keep_history('contacts', 'contact');

create or replace trigger external_hidden before update of deleted_at on contacts for each row
  when (((new.deleted_at is null) <> (old.deleted_at is null)) and (new.external is not null or new.former_ids is not null))
  execute function hide_external_ids('contact');
