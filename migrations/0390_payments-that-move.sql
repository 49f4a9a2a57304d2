-- A payment that goes with its invoice to another company is a change in the history.
-- Load functions: keep_history, invoices_after_update
comment on column payments.company_id is null;
call keep_history('payments', 'payment');
