-- The firm's own data, for the paper of its invoices; and the invoice that another one corrects.

alter table workspace_details add column tax_id text, add column registration_number text, add column address text,
  add column phone text, add column email text, add column iban text, add column bank text,
  -- A PNG or JPEG in base64. Without lists of other columns, no statement reads it.
  add column logo text, add column logo_at timestamptz;
create or replace trigger workspace_details_written
  after insert or update of vat_rates, begins_with_vat, payment_days, tax_id, registration_number, address, phone, email, iban,
    bank, logo_at on workspace_details
  for each row execute function keep_row_history(
    'workspace', 'vat_rates,begins_with_vat,payment_days,tax_id,registration_number,address,phone,email,iban,bank,logo_at', '',
    '{"vat_rates": "21 11 0", "begins_with_vat": false, "payment_days": 30}');

-- Without a foreign key: a tenant's invoices are removed in steps, and each of them would hold up a step.
alter table invoices add column corrects_id bigint;
comment on column invoices.corrects_id is 'history: hidden';
call keep_history('invoices', 'invoice');
