-- The values of custom fields also as text, as answers have them: lists and single records need not make it each time.
-- Load functions: written_values, history_of_metadata, history_json, history_of_external_ids, keep_history

alter table companies add column values_text text;
alter table contacts add column values_text text;
alter table invoices add column values_text text;
comment on column companies.values_text is 'history: hidden';
comment on column contacts.values_text is 'history: hidden';
comment on column invoices.values_text is 'history: hidden';
call keep_history('companies', 'company');
call keep_history('contacts', 'contact');
call keep_history('invoices', 'invoice');
