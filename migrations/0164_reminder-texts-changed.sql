-- The moment of the last change of the workspace's texts of reminders, for its history.

alter table workspace_details add column reminder_texts_at timestamptz;
create or replace trigger workspace_details_written
  after insert or update of vat_rates, begins_with_vat, payment_days, tax_id, registration_number, address, phone, email, iban,
    bank, logo_at, reminder_texts_at on workspace_details
  for each row execute function keep_row_history(
    'workspace',
    'vat_rates,begins_with_vat,payment_days,tax_id,registration_number,address,phone,email,iban,bank,logo_at,reminder_texts_at',
    '', '{"vat_rates": "21 11 0", "begins_with_vat": false, "payment_days": 30}');
