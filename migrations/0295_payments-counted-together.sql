-- Payments are added to what is paid of their invoice: each costs the same, whatever payments it has already. Those of
-- one statement are added together. Payments that invoices make are in `paid` already.

-- Load functions: add_to_paid, payments_after_write, payments_created_together
-- Load functions: invoices_after_insert, invoices_after_update, wms_jobs_of_created
create or replace trigger after_insert after insert on payments for each row
  when (new.external is not null) execute function payments_after_write('external ids alone');
create or replace trigger after_update after update on payments for each row
  when ((old.deleted_at is null) is distinct from (new.deleted_at is null) and pg_trigger_depth() = 0)
  execute function payments_after_write();
create trigger added_together after insert on payments referencing new table as written for each statement
  when (pg_trigger_depth() = 0) execute function payments_created_together();
drop function if exists count_payments(bigint, bigint, text);

-- Payments and notes of sales come from the trigger of all rows of a statement. The third argument disables their steps
-- for each row.
create or replace trigger after_insert after insert on invoices for each row
  when (new.external is not null or new.metadata is not null)
  execute function invoices_after_insert('with metadata', 'with sales', 'without money');
drop trigger wms_jobs_created on invoices;
create trigger wms_jobs_created after insert on invoices referencing new table as written for each statement
  execute function wms_jobs_of_created('with money');
