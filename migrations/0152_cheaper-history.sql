-- The history's JSON is made in half the time.
-- Load functions: keep_history, history_json, history_of_metadata, history_of_external_ids
call keep_history('companies', 'company');
call keep_history('contacts', 'contact');
call keep_history('addresses', 'address');
call keep_history('invoices', 'invoice');
call keep_history('payments', 'payment');
call keep_history('planned_calls', 'planned_call');
call keep_history('custom_fields', 'custom_field');
