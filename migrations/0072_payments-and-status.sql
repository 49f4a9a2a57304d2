-- From here on `paid` and the status of an invoice follow its payments, and payments follow its status.

comment on column payments.company_id is 'history: hidden';
call keep_history('payments', 'payment');
call keep_history('invoices', 'invoice');

-- Load functions: is_settled, today_of, payments_to_take_back, add_to_paid, payments_after_write, hide_external_ids
create trigger after_insert after insert on payments for each row execute function payments_after_write();
create trigger before_update before update on payments for each row
  when ((old.deleted_at is null) is distinct from (new.deleted_at is null) and new.external is not null)
  execute function hide_external_ids('payment');
create trigger after_update after update on payments for each row
  when ((old.deleted_at is null) is distinct from (new.deleted_at is null))
  execute function payments_after_write();
create trigger after_delete after delete on payments for each row
  when (old.external is not null) execute function keep_external_ids('payment');

-- One function for each moment: the external ids and the payments.
-- Load functions: sends_automatically, invoices_before_insert, invoices_before_update
-- Load functions: invoices_after_insert, invoices_after_update
drop trigger external_created on invoices;
drop trigger external_updated on invoices;
create trigger after_insert after insert on invoices for each row
  when (new.external is not null or new.paid <> 0) execute function invoices_after_insert();
create trigger after_update after update on invoices for each row
  when (new.external is distinct from old.external or new.paid <> old.paid or new.company_id <> old.company_id
    or (new.status = 'draft' and old.status <> 'draft'))
  execute function invoices_after_update();
