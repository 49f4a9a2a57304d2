-- Payment terms: of the workspace, of a company, and the day that follows from them for an invoice without a due date.
-- Invoices that exist keep what they have: only later writes give them such a day.

alter table companies add column payment_days integer;
alter table companies add column credit_limit numeric;
call keep_history('companies', 'company');

alter table workspace_details add column payment_days integer not null default 30;
create or replace trigger workspace_details_written
  after insert or update of vat_rates, begins_with_vat, payment_days on workspace_details
  for each row execute function keep_row_history(
    'workspace', 'vat_rates,begins_with_vat,payment_days', '',
    '{"vat_rates": "21 11 0", "begins_with_vat": false, "payment_days": 30}');

-- The day by which an invoice without a due date has to be paid, by the terms when it was written.
alter table invoices add column terms_due_on date;
comment on column invoices.terms_due_on is 'history: hidden';
call keep_history('invoices', 'invoice');

-- Load functions: payment_days_of, sends_automatically, invoices_before_insert, invoices_before_update
create or replace trigger before_insert before insert on invoices for each row
  when (new.wms_order_id is not null or new.wms_state = 'sent' or (new.wms_state = 'not_sent' and new.status in ('issued', 'paid'))
    or (new.due_on is null and new.issued_on is not null))
  execute function invoices_before_insert();
