-- Invoices are found by their values too. The argument enables that step: triggers of earlier migrations run while the
-- column is missing.
-- Load functions: value_entry, write_custom_values, keep_external_ids, invoices_after_insert, invoices_after_update

create or replace trigger after_insert after insert on invoices for each row
  when (new.external is not null or new.metadata is not null or new.paid <> 0)
  execute function invoices_after_insert('with metadata');
create or replace trigger after_update after update on invoices for each row
  when (new.external is distinct from old.external or new.metadata is distinct from old.metadata or new.paid <> old.paid
    or new.company_id <> old.company_id or (new.status = 'draft' and old.status <> 'draft'))
  execute function invoices_after_update('with metadata');
create or replace trigger external_removed after delete on invoices for each row
  when (old.external is not null or old.metadata is not null)
  execute function keep_external_ids('invoice', '', 'with values');
